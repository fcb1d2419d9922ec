import fc from "fast-check";
import type { Json, JsonMap, Script, Step } from "../script.ts";
import { bug, bugs, defined, jsonPatch, merge, objectSchema, post } from "./make.ts";

// Schemas, objects that nearly fit them, and patches. A seed draws them, so they are the same in every run.

type Arbitrary<T> = fc.Arbitrary<T>;
const word = fc.constantFrom("a", "bb", "ccc", "Red", "x-y", "", "10", "äö");
const small = fc.integer({ min: -3, max: 12 });

const leaf: Arbitrary<JsonMap> = fc.oneof(
  fc.record({ type: fc.constant("string"), maxLength: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant("string"), enum: fc.constant(["a", "bb"]) }),
  fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^[a-z]+$", "^.{2}$") }),
  fc.record({ type: fc.constant("string"), default: fc.constant("ccc") }),
  fc.record({
    type: fc.constant("integer"),
    minimum: fc.constantFrom(0, 1),
    maximum: fc.constantFrom(5, 10),
  }),
  fc.record({ type: fc.constant("integer"), default: fc.constant(3), multipleOf: fc.constant(3) }),
  fc.record({ type: fc.constant("boolean"), nullable: fc.boolean() }),
  fc.constant<JsonMap>({ "x-kubernetes-int-or-string": true }),
);
const nested: Arbitrary<JsonMap> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  { weight: 1, arbitrary: leaf.map((items) => ({ type: "array", items, maxItems: 3 })) },
  {
    weight: 1,
    arbitrary: fc.constant<JsonMap>({
      type: "array",
      "x-kubernetes-list-type": "set",
      items: { type: "string" },
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(leaf, leaf)
      .map(([p, q]): JsonMap => ({ type: "object", required: ["p"], properties: { p, q } })),
  },
  {
    weight: 1,
    arbitrary: leaf.map((additionalProperties): JsonMap => ({ type: "object", additionalProperties })),
  },
);
const value: Arbitrary<Json> = fc.oneof(
  word,
  small,
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(word, small), { maxLength: 4 }),
  fc.dictionary(fc.constantFrom("p", "q", "r"), fc.oneof(word, small), { maxKeys: 3 }),
);
const spec: Arbitrary<JsonMap> = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), value, { maxKeys: 4 });
const operation: Arbitrary<Json> = fc.oneof(
  fc.record({
    op: fc.constantFrom("add", "replace"),
    path: fc.constantFrom("/spec/a", "/spec/b/0", "/spec/c/-", "/spec/d/p", "/spec/none/x"),
    value,
  }),
  fc.record({ op: fc.constant("remove"), path: fc.constantFrom("/spec/a", "/spec/b", "/spec/b/1") }),
  fc.record({ op: fc.constant("test"), path: fc.constantFrom("/spec/a", "/spec/b"), value }),
  fc.record({
    op: fc.constantFrom("copy", "move"),
    from: fc.constantFrom("/spec/a", "/spec/b"),
    path: fc.constantFrom("/spec/c", "/spec/d"),
  }),
);

const resource: Arbitrary<Step[]> = fc
  .tuple(
    fc.record({ a: nested, b: nested, c: nested }),
    fc.boolean(),
    fc.array(spec, { minLength: 4, maxLength: 6 }),
    fc.array(
      fc.oneof(
        spec.map((patch) => merge(`${bugs}/n0`, { spec: patch })),
        fc.array(operation, { minLength: 1, maxLength: 3 }).map((list) => jsonPatch(`${bugs}/n0`, list)),
      ),
      { minLength: 4, maxLength: 5 },
    ),
  )
  .map(([properties, open, specs, patches]) => [
    ...defined(
      objectSchema({
        type: "object",
        properties,
        ...(open ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
      }),
    ),
    // The patches need an object that exists.
    post(bugs, bug("n0")),
    ...specs.map((value, index) => post(`${bugs}?fieldValidation=Strict`, bug(`s${index}`, { spec: value }))),
    ...specs.map((value, index) => post(`${bugs}?fieldValidation=Warn`, bug(`w${index}`, { spec: value }))),
    ...patches,
  ]);

/** @param seed the recorded answers belong to one seed */
export function generatedResources(count: number, seed: number): Script[] {
  return fc.sample(resource, { numRuns: count, seed }).map((steps, index) => ({
    name: `resources ${seed}/${index + 1}`,
    area: "generated",
    steps,
  }));
}
