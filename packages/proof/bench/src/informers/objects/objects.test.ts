import { expect, test } from "vitest";
import { cache } from "./cache.ts";
import { goJson, sorted } from "./go-json.ts";
import { fieldsOf } from "./managed-fields.ts";
import { pod } from "./pod.ts";
import { createRandom } from "./random.ts";

test.each([
  ["Pods", pod],
  ["custom resources", cache],
])("%s are about 4 KB, a third of it managedFields, and vary in size", (_, make) => {
  const random = createRandom(1);
  const objects = Array.from(
    { length: 400 },
    (_, index) => make(random, index, "team-1", "1000001") as { metadata: { managedFields: object[] } },
  );
  const sizes = objects.map((object) => Buffer.byteLength(goJson(object))).sort((a, b) => a - b);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const managed = objects.reduce((sum, { metadata }) => sum + goJson(metadata.managedFields).length, 0);
  expect(total / objects.length).toBeGreaterThan(3_700);
  expect(total / objects.length).toBeLessThan(4_700);
  expect(managed / total).toBeGreaterThan(0.3);
  expect(managed / total).toBeLessThan(0.4);
  expect((sizes.at(-1) ?? 0) / (sizes[0] ?? 1)).toBeGreaterThan(4);
});

test("the same seed draws the same objects", () => {
  const make = (seed: number) => goJson(pod(createRandom(seed), 0, "team-1", "1000001"));
  expect(make(7)).toBe(make(7));
  expect(make(7)).not.toBe(make(8));
});

test("writes JSON like Go", () => {
  expect(goJson({ b: "<&>", a: "é\u2028🚀" })).toBe('{"b":"\\u003c\\u0026\\u003e","a":"é\\u2028🚀"}');
  expect(goJson(sorted({ b: [{ d: 1, c: 2 }], a: null }))).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
});

test("names fields, and list elements by their keys", () => {
  const owned = { labels: { x: "y" }, env: [{ name: "A", value: "1" }], tolerations: [{ key: "k" }] };
  expect(fieldsOf(owned)).toEqual({
    "f:env": { ".": {}, 'k:{"name":"A"}': { ".": {}, "f:name": {}, "f:value": {} } },
    "f:labels": { ".": {}, "f:x": {} },
    "f:tolerations": {},
  });
});
