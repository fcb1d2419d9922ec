import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "./compare.ts";
import { createNormalizer } from "./normalize.ts";
import { fill } from "./placeholders.ts";
import type { Answer, Json } from "./script.ts";

const answer = (body: Json, status = 200): Answer => ({ request: "GET /x", status, body });

test("tells every place that differs, and nothing where answers are the same", () => {
  const real = answer({ a: 1, list: [1, 2], only: "real" });
  expect(compare([real], [real])).toEqual([]);
  const places = compare([answer({ a: 2, list: [1, 3] })], [real]).map(({ path, ours, real }) => [
    path,
    ours,
    real,
  ]);
  expect(places).toEqual([
    ["body.a", 2, 1],
    ["body.list[1]", 3, 2],
    ["body.only", undefined, "real"],
  ]);
});

test("of answers with another status tells the status and what was said", () => {
  const places = compare([answer({ kind: "Pod" })], [answer({ message: "no" }, 422)]);
  expect(places.map(({ path }) => path)).toEqual(["status", "message"]);
});

test("an answer that is missing is a difference", () => {
  expect(compare([], [answer(1)])).toHaveLength(1);
});

test("any JSON equals itself, and a changed text does not", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const body = value as Json;
      expect(compare([answer(body)], [answer(body)])).toEqual([]);
      expect(compare([answer({ body, x: "a" })], [answer({ body, x: "b" })])).toHaveLength(1);
    }),
  );
});

test("uids and versions keep their identity, not their value", () => {
  const uid = (digit: number): string => `${digit}0000000-0000-4000-8000-000000000000`;
  const object = (n: number, version: string): Json => ({
    metadata: { uid: uid(n), resourceVersion: version },
  });
  const [a, b] = [createNormalizer(), createNormalizer()];
  expect([a(object(1, "7")), a(object(1, "8"))]).toEqual([b(object(2, "31")), b(object(2, "40"))]);
  expect(a(object(1, "7"))).not.toEqual(a(object(1, "8")));
});

test("a placeholder takes a part of an earlier answer, and one that leads nowhere is an error", () => {
  const bindings = new Map<string, Json>([["made", { metadata: { name: "a", n: 3 } }]]);
  expect(
    fill({ "{{made.metadata.name}}": ["{{made.metadata.n}}", "x-{{made.metadata.name}}"] }, bindings),
  ).toEqual({
    a: [3, "x-a"],
  });
  expect(() => fill("{{made.none}}", bindings)).toThrow("leads nowhere");
});
