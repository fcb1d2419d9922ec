import { expect, it } from "vitest";
import { formatText } from "./go-text.ts";

it.each([
  ["text", "text"],
  [12, "12"],
  [-1_234_567_890_123, "-1234567890123"],
  [2.75, "2.75"],
  [123_456.5, "123456.5"],
  [1_234_567.5, "1.2345675e+06"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [true, "true"],
  [null, "<no value>"],
  [{ b: [1, { d: 1, c: "<&>" }], a: null }, '{"a":null,"b":[1,{"c":"\\u003c\\u0026\\u003e","d":1}]}'],
])("prints %j as %s", (value, text) => {
  expect(formatText(value)).toBe(text);
});
