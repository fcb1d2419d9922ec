import { expect, test } from "vitest";
import { scanEvent } from "./event-scan.ts";
import { parseObject } from "./parse-object.ts";
import { textOf } from "./text.ts";

const parsed = (line: string) => {
  const bytes = Buffer.from(line);
  return parseObject(textOf(bytes, scanEvent(bytes)));
};

test("a member behind an event's object is not the object's, whatever it ends with", () => {
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

test("what is no JSON is none, also with another look", () => {
  expect(() => parsed('{"type":"ADDED","object":{"metadata":{"name":"a"},"spec":{},}}')).toThrow(SyntaxError);
  expect(() => parsed('{"type":"ADDED","object":{"metadata":{"name":"a"}},"spec":{}}}')).toThrow(SyntaxError);
});
