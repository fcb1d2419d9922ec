import fc from "fast-check";
import { expect, test } from "vitest";
import { compare } from "./compare.ts";
import { createNormalizer } from "./normalize.ts";
import { fill } from "./placeholders.ts";
import type { Answer, Json } from "./script.ts";

const answer = (body: Json, status = 200): Answer => ({ request: "GET /x", status, body });

test("returns every place that differs", () => {
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

test("compares only status and message of answers with different statuses", () => {
  const places = compare([answer({ kind: "Pod" })], [answer({ message: "no" }, 422)]);
  expect(places.map(({ path }) => path)).toEqual(["status 200 instead of 422", "message"]);
});

test("compares named items of lists that differ in length", () => {
  const list = (...names: string[]): Answer => answer({ resources: names.map((name) => ({ name })) });
  const paths = (ours: Answer, real: Answer) => compare([ours], [real]).map(({ path }) => path);
  expect(paths(list("a", "c"), list("a", "b", "c"))).toEqual(["body.resources[b]"]);
  expect(paths(list("c", "a"), list("a", "b", "c"))).toEqual([
    "body.resources in order",
    "body.resources[b]",
  ]);
  expect(paths(list("a"), list("a", "a"))).toEqual(["body.resources"]);
});

test("replaces the suffix of a generated name that the server rejects", () => {
  const status = (name: string): Json => ({
    kind: "Status",
    status: "Failure",
    message: `ConfigMap "${name}" is invalid: metadata.generateName: Invalid value`,
    details: { name, causes: [] },
  });
  const normalized = createNormalizer()(status("Job_hxfj2"));
  expect(normalized).toEqual(createNormalizer()(status("Job_2zl9f")));
  expect(JSON.stringify(normalized)).toContain("Job_<generated>");
});

test("a missing answer is a difference", () => {
  expect(compare([], [answer(1)])).toHaveLength(1);
});

test("any JSON equals itself, and a changed string does not", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const body = value as Json;
      expect(compare([answer(body)], [answer(body)])).toEqual([]);
      expect(compare([answer({ body, x: "a" })], [answer({ body, x: "b" })])).toHaveLength(1);
    }),
  );
});

test("replaces uids and versions by their order", () => {
  const uid = (digit: number): string => `${digit}0000000-0000-4000-8000-000000000000`;
  const object = (n: number, version: string): Json => ({
    metadata: { uid: uid(n), resourceVersion: version },
  });
  const [a, b] = [createNormalizer(), createNormalizer()];
  expect([a(object(1, "7")), a(object(1, "8"))]).toEqual([b(object(2, "31")), b(object(2, "40"))]);
  expect(a(object(1, "7"))).not.toEqual(a(object(1, "8")));
});

test("a placeholder takes a part of an earlier answer; one that names nothing is an error", () => {
  const bindings = new Map<string, Json>([["made", { metadata: { name: "a", n: 3 } }]]);
  expect(
    fill({ "{{made.metadata.name}}": ["{{made.metadata.n}}", "x-{{made.metadata.name}}"] }, bindings),
  ).toEqual({
    a: [3, "x-a"],
  });
  expect(() => fill("{{made.none}}", bindings)).toThrow("names no part of an earlier answer");
});
