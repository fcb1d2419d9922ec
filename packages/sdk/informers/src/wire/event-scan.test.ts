import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryValue, type Members, membersOf, shuffled, write } from "../testing/arbitrary-json.ts";
import {
  arbitraryFormatting,
  arbitraryMembers,
  metadataOf,
  withoutManagedFields,
} from "../testing/arbitrary-objects.ts";
import { emptyEventSpan, scanEvent } from "./event-scan.ts";
import { textOf } from "./object-span.ts";

const types = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"];

const type = fc.constantFrom(...types).map((name): Members => [["type", { text: JSON.stringify(name) }]]);
const object = arbitraryMembers.map((value): Members => [["object", value]]);
const others = membersOf(arbitraryValue, "type", "object");
const typeAndOthers = shuffled(fc.tuple(type, others).map((all) => all.flat()));

/** The object is the last member, or the type follows it. */
const arbitraryEvent = fc
  .tuple(
    fc.oneof(fc.tuple(type, object), fc.tuple(typeAndOthers, object), fc.tuple(object, typeAndOthers)),
    arbitraryFormatting,
  )
  .map(([members, formatting]) => write({ members: members.flat() }, formatting));

const scan = (text: string) => {
  const line = Buffer.from(text);
  const span = scanEvent(line);
  return { ...span, text: textOf(line, span) };
};

describe("scanEvent", () => {
  test("reads the same as a parser, in any order and formatting", () => {
    // One span for all events, as in an informer: no value of one event may be left in the next.
    const span = emptyEventSpan();
    fc.assert(
      fc.property(arbitraryEvent, (text) => {
        const line = Buffer.from(text);
        const event = JSON.parse(text);
        expect(scanEvent(line, span)).toMatchObject({
          type: event.type,
          initialEventsEnd: false,
          ...metadataOf(event.object),
        });
        expect(JSON.parse(textOf(line, span))).toEqual(withoutManagedFields(event.object));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [
      "before it",
      '{"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}}',
      true,
    ],
    [
      "behind it",
      '{"object":{"metadata":{"annotations":{"k8s.io\\\\u002finitial-events-end":"true"}}},"type":"BOOKMARK"}',
      true,
    ],
    [
      "and without the annotation",
      '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7","annotations":null}}}',
      false,
    ],
    [
      "and another value",
      '{"type":"BOOKMARK","object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"false"}}}}',
      false,
    ],
    [
      "that is not a bookmark",
      '{"type":"ADDED","object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}',
      false,
    ],
  ])("recognizes the end of the initial events by its annotation, with the type %s", (_, text, end) => {
    expect(scan(text.replace("\\\\u", "\\u")).initialEventsEnd).toBe(end);
  });

  test("carries the Status of an ERROR", () => {
    const status =
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Expired","code":410}';
    expect(scan(`{"type":"ERROR","object":${status}}`)).toMatchObject({
      type: "ERROR",
      key: "",
      text: status,
    });
    expect(scan(`{"type":"ERROR","object":{"code":410}}`).text).toBe('{"code":410}');
  });

  test("finds the object's end when another member follows", () => {
    expect(scan('{"type":"ADDED","object":{"metadata":{"name":"a"}},"x":1}').text).toBe(
      '{"metadata":{"name":"a"}}',
    );
    expect(scan('{"type":"ADDED","object":{"metadata":{"name":"a"}} , "x":"{}"}').text).toBe(
      '{"metadata":{"name":"a"}}',
    );
  });

  test("reads nothing after the metadata but the end", () => {
    expect(scan('{"type":"ADDED","object":{"metadata":{"name":"a"},"spec":nonsense}}\r').key).toBe("a");
  });

  test("reports an event that is cut off, unless it still ends like one after its metadata", () => {
    const outcome = (line: Buffer, to: number) => {
      try {
        const span = scanEvent(line.subarray(0, to));
        return (
          span.metadataFrom > 0 &&
          span.metadataTo < span.to &&
          /\}\s*\}\s*$/.test(line.toString("utf8", 0, to))
        );
      } catch (error) {
        return error instanceof SyntaxError && /at byte \d+.*expected/.test(error.message);
      }
    };
    const whole = Buffer.from(
      '{"type":"ADDED","object":{"kind":"x\\"}","metadata":{"name":"a"},"spec":[{}]}}',
    );
    expect(Array.from(whole.keys()).filter((to) => !outcome(whole, to))).toEqual([]);
    fc.assert(
      fc.property(arbitraryEvent, fc.nat(), (text, at) => {
        const line = Buffer.from(text.trim());
        expect(outcome(line, at % line.length)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["", "malformed JSON: it ends at byte 0, expected '{'"],
    ["OK", "malformed JSON at byte 0: expected '{', found \"OK\""],
    [
      '{"type":"GONE","object":{}}',
      'malformed JSON at byte 8: expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, found "\\"GONE\\""',
    ],
    ['{"type":1,"object":{}}', 'malformed JSON at byte 8: expected a string as the event\'s type, found "1"'],
    ['{"type":"ADDED"}', 'malformed JSON at byte 15: expected the event\'s object, found "}"'],
    ['{"object":{}}', 'malformed JSON at byte 12: expected the event\'s type, found "}"'],
    ['{"type":"ADDED","object":null}', "malformed JSON at byte 25: expected '{', found \"null}\""],
    [
      '{"type":"ADDED","object":{"metadata":{"name":"a"}}',
      "malformed JSON: it ends at byte 50, expected ',' or '}'",
    ],
    ['{"type":"ADDED","object":{}}}', 'malformed JSON at byte 28: expected the end of the line, found "}"'],
  ])("reports position and expectation for %s", (text, message) => {
    expect(() => scan(text)).toThrow(new SyntaxError(message));
  });
});
