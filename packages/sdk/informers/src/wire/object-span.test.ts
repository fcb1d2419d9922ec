import { expect, test } from "vitest";
import { scanEvent } from "./event-scan.ts";
import { parseObject, textOf } from "./object-span.ts";

const parsed = (line: string) => {
  const bytes = Buffer.from(line);
  return parseObject(textOf(bytes, scanEvent(bytes)));
};

test("excludes any member that follows an event's object", () => {
  const object = '{"metadata":{"name":"a","resourceVersion":"1"},"spec":{"of":"a"}}';
  for (const more of [
    '"more":{"x":{}}',
    '"more": 1',
    '"a":[{}],"b" : {"c":{}}',
    '"object2":{"metadata":{}}',
  ]) {
    expect(parsed(`{"type":"ADDED","object":${object},${more}}`)).toEqual(JSON.parse(object));
  }
});

test("rejects invalid JSON after the second attempt too", () => {
  expect(() => parsed('{"type":"ADDED","object":{"metadata":{"name":"a"},"spec":{},}}')).toThrow(SyntaxError);
  expect(() => parsed('{"type":"ADDED","object":{"metadata":{"name":"a"}},"spec":{}}}')).toThrow(SyntaxError);
});
