import { expect, test } from "vitest";
import { apiOf, runIn } from "./testing/run.ts";

const from = "@operator-path/controller-gen/types";

/** The field's type begins in column 6 of line 6. */
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
  ["number", `number does not say which numbers: write int32 or int64 of ${from}`],
  ["bigint", `bigint has no form in JSON: write int64 of ${from}, or a string`],
  ["any", `any value at all makes no schema: write JSONValue of ${from} for one that is kept as it is`],
  ["unknown", `any value at all makes no schema: write JSONValue of ${from} for one that is kept as it is`],
  ["object", `any object at all makes no schema: write RawExtension of ${from}`],
  ["{ b: string }", "an object within a type has no name: declare an interface for it, and name that here"],
  ["[string, string]", "a list with a type for each place makes no schema: write a list of one type"],
  ["Spec & Thing", "A & B makes no schema: declare an interface that extends both"],
  [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is TypeScript.
    "`a-${string}`",
    "a template of a string makes no schema: write string, with +kubebuilder:validation:Pattern",
  ],
  ["string | undefined", "undefined has no form in JSON: put a ? behind the field's name"],
  ["number | string", `number | string makes no schema: write IntOrString or Quantity of ${from}`],
  [
    "Spec | string",
    "a union makes a schema only of strings, or only of whole numbers, that are written out: declare one interface with all fields optional, and +kubebuilder:validation:ExactlyOneOf",
  ],
  ["() => void", "this form of a type (FunctionType) makes no schema: write the type out"],
  ["keyof Spec", "keyof types have no schema: write the type out"],
  ["Date", `Date has no schema: write Time of ${from}: on the wire it is a string`],
  ["Map<string, string>", "Map has no schema: write Record<string, …>"],
  ["Partial<Spec>", "Partial has no schema: write the interface out"],
  ["Generic<string>", "Generic<…>: generic types make no schema: write the type out"],
  ["Record<Spec, string>", "the keys of a map are strings: write Record<string, …>"],
  ["int32", `int32 is not imported: import type { int32 } from "${from}"`],
  ["PodSpec", `PodSpec is not imported: import type { PodSpec } from "${from}"`],
  ["PodSpecs", `PodSpecs of ${from} has no schema: did you mean PodSpec?`],
  ["Spek", "there is no type Spek: did you mean Spec?"],
  ["V1PodSpec", `V1PodSpec of client-node has no schema here: import type { PodSpec } from "${from}"`],
  [
    "V1Lease",
    "V1Lease of client-node has no schema here: declare an interface with the fields that you need",
  ],
  [
    "Something",
    "Something comes from elsewhere, whose types are not read: declare the type in a file of yours",
  ],
  ["Gone", "./other.ts has no type Gone: it has Something"],
  ["Somthing", "./other.ts has no type Somthing: did you mean Something?"],
  [
    "core.v1.PodSpec",
    "core.v1.PodSpec: types of a whole imported module are not looked up: import type { PodSpec } by its name",
  ],
  [
    "float64",
    "floats are read differently in different languages: write a string or Quantity, or run with crd:allowDangerousTypes=true",
  ],
  [
    "Thing | null",
    "Spec contains itself, which no CustomResourceDefinition can say: use JSONValue for the inner one, or name objects by their names",
  ],
])("a field of type %s is an error that says so", (type, message) => {
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
  ["run(): void;", "functions have no form in JSON: types hold data alone"],
  [
    "[key: string]: string;",
    "an index beside fields makes no schema: make it a field of its own: Record<string, …>",
  ],
  ["[name]: string;", "the name of this field is computed: write it out"],
  ["untyped;", "untyped has no type: write one behind a colon"],
  ["__proto__: string;", "__proto__ is no name for a field: choose another one"],
])("a member %s is an error that says so", (member, message) => {
  const types = `import type { KubeObject } from "${from}";
export interface Thing extends KubeObject {
  ${member}
}
`;
  const { stderr } = runIn(apiOf(types), ["crd", "paths=./..."]);
  expect(stderr).toBe(`api/v1/thing.types.ts:3:3: ${message}\n`);
});

test("what is no TypeScript, a member of one-of that has to be there, and a type that is not used", () => {
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
    "api/v1/thing.types.ts:2:5: +kubebuilder:validation:ExactlyOneOf: there is no field c: there are a, b",
    "api/v1/thing.types.ts:4:3: a is one of several, of which some are missing: write a?:",
  ]);
  expect(lines[2]).toMatch(/^api\/v2\/broken.types.ts:1:18: not TypeScript: /);
  expect(lines).toHaveLength(4);
});
