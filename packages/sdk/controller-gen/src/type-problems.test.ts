import { expect, test } from "vitest";
import { apiOf, runIn } from "./testing/run.ts";

const from = "@operator-path/controller-gen/types";

/** Returns types with a field whose type begins in column 6 of line 6. */
function typesWith(type: string): string {
  return `import type { float64, KubeObject, PodSpecs } from "${from}";
import type { V1PodSpec, V1Lease } from "@kubernetes/client-node";
import type { Something } from "elsewhere";
import type { Gone, Somthing } from "./other.ts";
export interface Spec {
  a: ${type};
}
export interface Generic<T> { b: T }
export interface Thing extends KubeObject {
  spec?: Spec;
}
`;
}

test.each([
  ["number", `number is not specific enough: use int32 or int64 from ${from}`],
  ["bigint", `JSON cannot represent bigint: use int64 from ${from}, or a string`],
  ["any", `any and unknown have no schema: use JSONValue from ${from} to keep any value`],
  ["unknown", `any and unknown have no schema: use JSONValue from ${from} to keep any value`],
  ["object", `object has no schema: use RawExtension from ${from}`],
  ["{ b: string }", "an inline object type has no schema: declare an interface and use its name here"],
  ["[string, string]", "a tuple has no schema: use a list of one type"],
  ["Spec & Thing", "A & B has no schema: declare an interface that extends both"],
  [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is TypeScript.
    "`a-${string}`",
    "a template literal has no schema: use string with +kubebuilder:validation:Pattern",
  ],
  ["string | undefined", "JSON cannot represent undefined: put a ? after the field's name"],
  ["number | string", `number | string has no schema: use IntOrString or Quantity from ${from}`],
  [
    "Spec | string",
    "the members of a union must all be string literals, or all integer literals: for objects, declare one interface with optional fields and +kubebuilder:validation:ExactlyOneOf",
  ],
  ["() => void", "this type (FunctionType) has no schema: write the type out"],
  ["keyof Spec", "keyof types have no schema: write the type out"],
  ["Date", `Date has no schema: use Time from ${from}, which is a string on the wire`],
  ["Map<string, string>", "Map has no schema: use Record<string, …>"],
  ["Partial<Spec>", "Partial has no schema: write the interface out"],
  ["Generic<string>", "Generic<…>: generic types have no schema: write the type out"],
  ["Record<Spec, string>", "the keys of a map must be strings: use Record<string, …>"],
  ["int32", `int32 is not imported: import type { int32 } from "${from}"`],
  ["PodSpec", `PodSpec is not imported: import type { PodSpec } from "${from}"`],
  ["PodSpecs", `PodSpecs from ${from} has no schema: did you mean PodSpec?`],
  ["Spek", "there is no type Spek: did you mean Spec?"],
  ["V1PodSpec", `V1PodSpec from client-node has no schema: import type { PodSpec } from "${from}"`],
  ["V1Lease", "V1Lease from client-node has no schema: declare an interface with the fields that you need"],
  [
    "Something",
    "Something comes from elsewhere, and controller-gen does not read the types of packages: declare the type in one of your files",
  ],
  ["Gone", "./other.ts has no type Gone: it has Something"],
  ["Somthing", "./other.ts has no type Somthing: did you mean Something?"],
  [
    "core.v1.PodSpec",
    "core.v1.PodSpec: controller-gen does not look up types through a namespace import: import type { PodSpec } by name",
  ],
  [
    "float64",
    "languages read floats differently: use string or Quantity, or run with crd:allowDangerousTypes=true",
  ],
  [
    "Thing | null",
    "Spec contains itself, but the schema of a CustomResourceDefinition cannot: use JSONValue for the inner value, or refer to objects by name",
  ],
])("rejects a field of type %s and suggests another type", (type, message) => {
  const files = {
    ...apiOf(typesWith(type)),
    "api/v1/other.ts": "export interface Something { a: string }\n",
  };
  const { stderr, code, written } = runIn(files, ["crd", "object", "docs", "paths=./..."]);
  const place = type.startsWith("Thing") ? "5:18" : /^Record/.test(type) ? "6:13" : "6:6";
  expect(stderr).toBe(`api/v1/thing.types.ts:${place}: ${message}\n`);
  expect(code).toBe(1);
  expect(written).toEqual({});
});

test.each([
  ["run(): void;", "JSON cannot represent functions: declare data fields only"],
  [
    "[key: string]: string;",
    "an index signature beside fields has no schema: move it to a field of type Record<string, …>",
  ],
  ["[name]: string;", "the name of this field is computed: write the name out"],
  ["untyped;", "untyped has no type: write one after a colon"],
  ["__proto__: string;", "__proto__ cannot be the name of a field: choose another name"],
])("rejects the member %s and suggests another one", (member, message) => {
  const types = `import type { KubeObject } from "${from}";
export interface Thing extends KubeObject {
  ${member}
}
`;
  const { stderr } = runIn(apiOf(types), ["crd", "paths=./..."]);
  expect(stderr).toBe(`api/v1/thing.types.ts:3:3: ${message}\n`);
});

test("reports a syntax error and a required field in ExactlyOneOf, but no unused type", () => {
  const files = {
    ...apiOf(`import type { KubeObject } from "${from}";
/** +kubebuilder:validation:ExactlyOneOf=a;c */
export interface Spec {
  a: string;
  b?: string;
}
export type Unused = Map<string, number>;
export interface Thing extends KubeObject {
  spec?: Spec;
}
`),
    "api/v2/broken.types.ts": "export interface {\n",
  };
  const lines = runIn(files, ["crd", "paths=./..."]).stderr.split("\n");
  expect(lines.slice(0, 2)).toEqual([
    "api/v1/thing.types.ts:2:5: +kubebuilder:validation:ExactlyOneOf: there is no field c: the fields are a, b",
    "api/v1/thing.types.ts:4:3: a marker that ends in OneOf names a, so the field must be optional: write a?:",
  ]);
  expect(lines[2]).toMatch(/^api\/v2\/broken.types.ts:1:18: not TypeScript: /);
  expect(lines).toHaveLength(4);
});
