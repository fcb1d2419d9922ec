import { expect, test } from "vitest";
import { apiOf, runIn } from "./testing/run.ts";

const head = `import type { int32, IntOrString, KubeObject } from "@operator-path/controller-gen/types";
`;
const thing = `export interface Thing extends KubeObject {
  spec?: ThingSpec;
}
`;

/** Field on line 4, its marker on line 3. */
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
  [
    "+kubebuilder:nonsense",
    "there is no marker +kubebuilder:nonsense: --which-markers lists those that there are",
  ],
  ["+optinal", "there is no marker +optinal: did you mean +optional?"],
  ["+optional because it is", "text follows +optional in its line: write the marker on a line of its own"],
  ["+kubebuilder:validation:Minimum=one", '+kubebuilder:validation:Minimum: a number is expected, not "one"'],
  [
    "+kubebuilder:validation:Minimum",
    "+kubebuilder:validation:Minimum: a value is missing: it is written behind =",
  ],
  ["+kubebuilder:validation:Minimum=1 2", '+kubebuilder:validation:Minimum: "2" is too much'],
  [
    "+kubebuilder:validation:Minimum=0.5",
    "+kubebuilder:validation:Minimum: 0.5 is no whole number, and the field is one",
  ],
  [
    "+kubebuilder:validation:MaxLength=5",
    "+kubebuilder:validation:MaxLength: it is for a string, and here stands a value of type integer",
  ],
  [
    "+kubebuilder:validation:MinItems=1",
    "+kubebuilder:validation:MinItems: it is for a list, and here stands a value of type integer",
  ],
  [
    "+kubebuilder:validation:items:Minimum=1",
    "+kubebuilder:validation:items:Minimum: it is for the items of a list, and here is no list",
  ],
  ["+listType=map", "+listType: it is for a list, and here stands a value of type integer"],
  ["+optional=true", '+optional: it takes no arguments, and "true" follows'],
  [
    "+kubebuilder:subresource:status",
    "+kubebuilder:subresource:status stands on the field size, and belongs on an object with apiVersion, kind and metadata (extends KubeObject)",
  ],
  [
    "+groupName=a",
    "+groupName stands on the field size, and belongs on a package: put it into groupversion.info.ts of the folder",
  ],
  [
    "+kubebuilder:rbac:groups=a,resources=b,verbs=get",
    "+kubebuilder:rbac stands on the field size, and belongs on a package: put it above a function, a class or a constant, or leave an empty line below it",
  ],
  [
    "+kubebuilder:validation:XValidation:message=a",
    "+kubebuilder:validation:XValidation: the argument rule is missing",
  ],
  [
    '+kubebuilder:validation:XValidation:rule="a",reasn="b"',
    "+kubebuilder:validation:XValidation: there is no argument reasn: there are rule, message, messageExpression, reason, fieldPath, optionalOldSelf",
  ],
  [
    '+kubebuilder:validation:XValidation:rule="a",rule="b"',
    "+kubebuilder:validation:XValidation: the argument rule stands twice",
  ],
  [
    '+kubebuilder:validation:XValidation:rule="a",reason=Why',
    "+kubebuilder:validation:XValidation: there is no reason Why: there are FieldValueRequired, FieldValueInvalid, FieldValueForbidden, FieldValueDuplicate",
  ],
  ["+default=bare", "+default: bare is no JSON: a string, for instance, is in double quotes"],
  ['+kubebuilder:externalDocs:url="none"', '+kubebuilder:externalDocs: "none" is no URL'],
  ["+k8s:enum", "+k8s:enum stands on the field size, and belongs on a type"],
])("%s on a number: file, line, column, what, way out; nothing is written", (marker, message) => {
  const { code, stderr, written } = runIn(apiOf(fieldWith(marker)), ["crd", "object", "paths=./..."]);
  expect(stderr).toBe(`api/v1/thing.types.ts:3:6: ${message}\n`);
  expect(code).toBe(1);
  expect(written).toEqual({});
});

test.each([
  [
    '+kubebuilder:validation:Pattern="^\\d+$"',
    "name: string;",
    "+kubebuilder:validation:Pattern: \\d is no escape of a string in double quotes: put it in `back quotes`",
  ],
  [
    '+kubebuilder:validation:Pattern="open',
    "name: string;",
    '+kubebuilder:validation:Pattern: the string "open has no end',
  ],
  [
    "+kubebuilder:validation:Minimum=1",
    "name: string;",
    "+kubebuilder:validation:Minimum: it is for a number, and here stands a value of type string",
  ],
  [
    "+kubebuilder:validation:Pattern=`a`",
    "port: IntOrString;",
    "+kubebuilder:validation:Pattern: it is for a string, and here stands a type of its own name: put the marker on that type",
  ],
  ["+listMapKey=name", "names: string[];", "+listMapKey: it needs +listType=map beside it"],
  [
    "+kubebuilder:validation:Enum=a;c",
    'mode: "a" | "b";',
    '+kubebuilder:validation:Enum: the type itself says ["a","b"]: leave the marker out',
  ],
  ["+listType=many", "names: string[];", "+listType: many is none of map, set, atomic"],
])("%s on %s", (marker, field, message) => {
  const { stderr, code } = runIn(apiOf(fieldWith(marker, field)), ["crd", "paths=./..."]);
  expect(stderr).toBe(`api/v1/thing.types.ts:3:6: ${message}\n`);
  expect(code).toBe(1);
});

test("markers of types that make no object, twice, behind code, and in the comment of another", () => {
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
    "api/v1/thing.types.ts:3:4: +kubebuilder:resource stands on ThingSpec, and belongs on an object with apiVersion, kind and metadata (extends KubeObject)",
    "api/v1/thing.types.ts:7:6: +optional stands twice on the field size: leave one",
    "api/v1/thing.types.ts:8:19: +kubebuilder:validation:Minimum=0 belongs to nothing here: put it on a line above its field",
    "api/v1/thing.types.ts:9:6: +nullable belongs to nothing here: put it on a line above its field",
    "api/v1/thing.types.ts:12:5: Other is no object: write interface Other extends KubeObject",
    "api/v1/thing.types.ts:17:5: +kubebuilder:rbac stands on Thing, and belongs on a package: put it above a function, a class or a constant, or leave an empty line below it",
    "",
  ]);
  expect(code).toBe(1);
});

test("markers of other tools, and lines that only look like markers, are nobody's business", () => {
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

test("types without a group, and versions of which none is stored", () => {
  const files = {
    "api/v1/thing.types.ts": `${head}export interface Thing extends KubeObject {}\n`,
    "b/v1/b.info.ts": "// +groupName=b.example.com\n",
    "b/v1/b.types.ts": `${head}export interface B extends KubeObject {}\n`,
    "b/v2/b.info.ts": "// +groupName=b.example.com\n",
    "b/v2/b.types.ts": `${head}// +kubebuilder:resource:scope=Everywhere\nexport interface B extends KubeObject {}\n`,
  };
  expect(runIn(files, ["crd", "paths=./..."]).stderr.split("\n")).toEqual([
    "api/v1/thing.types.ts:2:18: Thing is in no API group: put +groupName=… into the comment of api/v1/groupversion.info.ts",
    "b/v1/b.types.ts:2:18: B has the versions v1, v2, and none is stored: put +kubebuilder:storageversion on one of them",
    "b/v2/b.types.ts:2:4: +kubebuilder:resource: there is no scope Everywhere: there are Namespaced and Cluster",
    "",
  ]);
});
