import { expect, test } from "vitest";
import { apiOf, runIn } from "./testing/run.ts";

const head = `import type { int32, IntOrString, KubeObject } from "@operator-path/controller-gen/types";
`;
const thing = `export interface Thing extends KubeObject {
  spec?: ThingSpec;
}
`;

/** Returns types with the marker on line 3 and the field on line 4. */
function fieldWith(marker: string, field = "size: int32;"): string {
  return `${head}export interface ThingSpec {
  // ${marker}
  ${field}
}
${thing}`;
}

test.each([
  [
    "+kubebuilder:validation:Minimun=0",
    "there is no marker +kubebuilder:validation:Minimun: did you mean +kubebuilder:validation:Minimum?",
  ],
  [
    "+kubebuilder:validation:minimum=0",
    "there is no marker +kubebuilder:validation:minimum: did you mean +kubebuilder:validation:Minimum?",
  ],
  ["+kubebuilder:nonsense", "there is no marker +kubebuilder:nonsense: --which-markers lists all markers"],
  ["+optinal", "there is no marker +optinal: did you mean +optional?"],
  ["+optional because it is", "there is text after +optional: put the marker on a line of its own"],
  ["+kubebuilder:validation:Minimum=one", '+kubebuilder:validation:Minimum: expected a number, not "one"'],
  [
    "+kubebuilder:validation:Minimum",
    "+kubebuilder:validation:Minimum: the value is missing: write it after =",
  ],
  ["+kubebuilder:validation:Minimum=1 2", '+kubebuilder:validation:Minimum: unexpected "2": remove it'],
  [
    "+kubebuilder:validation:Minimum=0.5",
    "+kubebuilder:validation:Minimum: 0.5 is not an integer, but the field is",
  ],
  [
    "+kubebuilder:validation:MaxLength=5",
    "+kubebuilder:validation:MaxLength: it applies to a string, but this value has type integer",
  ],
  [
    "+kubebuilder:validation:MinItems=1",
    "+kubebuilder:validation:MinItems: it applies to a list, but this value has type integer",
  ],
  [
    "+kubebuilder:validation:items:Minimum=1",
    "+kubebuilder:validation:items:Minimum: it applies to the items of a list, but this is not a list",
  ],
  ["+listType=map", "+listType: it applies to a list, but this value has type integer"],
  ["+optional=true", "+optional: it takes no arguments: remove =true"],
  [
    "+kubebuilder:subresource:status",
    "+kubebuilder:subresource:status is on the field size, but belongs on an object with apiVersion, kind and metadata (extends KubeObject)",
  ],
  [
    "+groupName=a",
    "+groupName is on the field size, but belongs on a package: put it into the folder's groupversion.info.ts",
  ],
  [
    "+kubebuilder:rbac:groups=a,resources=b,verbs=get",
    "+kubebuilder:rbac is on the field size, but belongs on a package: put it above a function, a class or a constant, or leave an empty line below it",
  ],
  [
    "+kubebuilder:validation:XValidation:message=a",
    "+kubebuilder:validation:XValidation: the argument rule is missing",
  ],
  [
    '+kubebuilder:validation:XValidation:rule="a",reasn="b"',
    "+kubebuilder:validation:XValidation: there is no argument reasn: the arguments are rule, message, messageExpression, reason, fieldPath, optionalOldSelf",
  ],
  [
    '+kubebuilder:validation:XValidation:rule="a",rule="b"',
    "+kubebuilder:validation:XValidation: the argument rule is given twice",
  ],
  [
    '+kubebuilder:validation:XValidation:rule="a",reason=Why',
    "+kubebuilder:validation:XValidation: there is no reason Why: the reasons are FieldValueRequired, FieldValueInvalid, FieldValueForbidden, FieldValueDuplicate",
  ],
  ["+default=bare", "+default: bare is not JSON: a string, for example, needs double quotes"],
  [
    '+kubebuilder:externalDocs:url="none"',
    '+kubebuilder:externalDocs: "none" is not a URL: write https://… or a path that begins with /',
  ],
  ["+k8s:enum", "+k8s:enum is on the field size, but belongs on a type"],
])("reports %s on a number with its place and a suggestion, and writes nothing", (marker, message) => {
  const { code, stderr, written } = runIn(apiOf(fieldWith(marker)), ["crd", "object", "paths=./..."]);
  expect(stderr).toBe(`api/v1/thing.types.ts:3:6: ${message}\n`);
  expect(code).toBe(1);
  expect(written).toEqual({});
});

test.each([
  [
    '+kubebuilder:validation:Pattern="^\\d+$"',
    "name: string;",
    "+kubebuilder:validation:Pattern: \\d is not a valid escape in double quotes: use `back quotes`",
  ],
  [
    '+kubebuilder:validation:Pattern="open',
    "name: string;",
    '+kubebuilder:validation:Pattern: the string "open has no closing quote',
  ],
  [
    "+kubebuilder:validation:Minimum=1",
    "name: string;",
    "+kubebuilder:validation:Minimum: it applies to a number, but this value has type string",
  ],
  [
    "+kubebuilder:validation:Pattern=`a`",
    "port: IntOrString;",
    "+kubebuilder:validation:Pattern: it applies to a string, but this is a named type: put the marker on that type",
  ],
  ["+listMapKey=name", "names: string[];", "+listMapKey: it also needs the marker +listType=map"],
  [
    "+kubebuilder:validation:Enum=a;c",
    'mode: "a" | "b";',
    '+kubebuilder:validation:Enum: the type already has the enum ["a","b"]: remove the marker',
  ],
  ["+listType=many", "names: string[];", "+listType: many is not one of map, set, atomic"],
])("reports %s on the field %s", (marker, field, message) => {
  const { stderr, code } = runIn(apiOf(fieldWith(marker, field)), ["crd", "paths=./..."]);
  expect(stderr).toBe(`api/v1/thing.types.ts:3:6: ${message}\n`);
  expect(code).toBe(1);
});

test("reports markers that are on the wrong type, repeated, behind code, or not attached to a field", () => {
  const types = `${head}/**
 * +kubebuilder:resource:scope=Cluster
 */
export interface ThingSpec {
  // +optional
  // +optional
  size: int32; // +kubebuilder:validation:Minimum=0
  // +nullable
}

/** +kubebuilder:object:root=true */
export interface Other {
  a: string;
}

/** +kubebuilder:rbac:groups=a,resources=b,verbs=get */
${thing}`;
  const { stderr, code } = runIn(apiOf(types), ["rbac:roleName=a", "crd", "paths=./..."]);
  expect(stderr.split("\n")).toEqual([
    "api/v1/thing.types.ts:3:4: +kubebuilder:resource is on ThingSpec, but belongs on an object with apiVersion, kind and metadata (extends KubeObject)",
    "api/v1/thing.types.ts:7:6: +optional is on the field size twice: remove one",
    "api/v1/thing.types.ts:8:19: +kubebuilder:validation:Minimum=0 is not attached to a field: put it on a line above its field",
    "api/v1/thing.types.ts:9:6: +nullable is not attached to a field: put it on a line above its field",
    "api/v1/thing.types.ts:12:5: Other is not a Kubernetes object: write interface Other extends KubeObject",
    "api/v1/thing.types.ts:17:5: +kubebuilder:rbac is on Thing, but belongs on a package: put it above a function, a class or a constant, or leave an empty line below it",
    "",
  ]);
  expect(code).toBe(1);
});

test("ignores markers of other tools, and lines that only look like markers", () => {
  const types = `${head}
// +genclient
// +k8s:deepcopy-gen=true
// +k8s:openapi-gen=true
// +operator-sdk:csv:customresourcedefinitions:displayName="Thing"
// +kubebuilder:scaffold:types
export interface ThingSpec {
  // + more to come
  // +1 from me
  size: int32;
}
${thing}`;
  expect(runIn(apiOf(types), ["crd", "paths=./...", "output:none"])).toMatchObject({ stderr: "", code: 0 });
});

test("reports types without a group, and versions without a storage version", () => {
  const files = {
    "api/v1/thing.types.ts": `${head}export interface Thing extends KubeObject {}\n`,
    "b/v1/b.info.ts": "// +groupName=b.example.com\n",
    "b/v1/b.types.ts": `${head}export interface B extends KubeObject {}\n`,
    "b/v2/b.info.ts": "// +groupName=b.example.com\n",
    "b/v2/b.types.ts": `${head}// +kubebuilder:resource:scope=Everywhere\nexport interface B extends KubeObject {}\n`,
  };
  expect(runIn(files, ["crd", "paths=./..."]).stderr.split("\n")).toEqual([
    "api/v1/thing.types.ts:2:18: Thing has no API group: put +groupName=… into the comment of api/v1/groupversion.info.ts",
    "b/v1/b.types.ts:2:18: B has the versions v1, v2, but no storage version: put +kubebuilder:storageversion on exactly one of them",
    "b/v2/b.types.ts:2:4: +kubebuilder:resource: there is no scope Everywhere: use Namespaced or Cluster",
    "",
  ]);
});
