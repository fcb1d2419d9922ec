// Invalid input: names that lead out of the folder or that a server rejects, duplicates, and types that are
// too large. Each test expects one line with the place, exit code 1, and no files.
import { expect, test } from "vitest";
import { apiOf, runIn } from "./testing/run.ts";

const head = `import type { int32, KubeObject } from "@operator-path/controller-gen/types";\n`;
const all = ["crd", "object", "docs", "paths=./..."];

/** Returns types with the field on line 3, `before` on line 5, and the kind on line 6. */
function typesWith({ field = "a?: int32;", before = "//", kind = "Thing" }): string {
  return `${head}export interface Spec {\n  ${field}\n}\n${before}\nexport interface ${kind} extends KubeObject {\n  spec?: Spec;\n}\n`;
}

/** Runs controller-gen, expects it to fail without writing a file, and returns its error output. */
function rejected(files: Record<string, string>, args: readonly string[] = all): string {
  const { code, stderr, stdout, written } = runIn(files, args);
  expect({ code, stdout, written }, stderr).toEqual({ code: 1, stdout: "", written: {} });
  return stderr.trimEnd();
}

test.each(["__proto__", "Größe", "A".repeat(60), "A$b", "A_b"])("rejects a kind with the name %s", (kind) => {
  expect(rejected(apiOf(typesWith({ kind })))).toBe(
    `api/v1/thing.types.ts:6:18: ${JSON.stringify(kind)} is not a valid kind (letters, digits and "-", at most 59): choose another name`,
  );
});

test.each([
  ["Argument", "arguments"],
  ["Thi", "this"],
])("rejects a kind with the name %s, whose plural is reserved in JavaScript", (kind, word) => {
  expect(rejected(apiOf(typesWith({ kind })))).toContain(
    `the generated constant of ${kind} would be called ${word}, a reserved word: choose another name`,
  );
});

test.each([
  "",
  "__proto__",
  "example",
  "münchen.example.com",
  "../../../evil.example.com",
  "a..b",
  `${"a".repeat(64)}.b`,
])("rejects a group with the name %j", (group) => {
  const files = {
    ...apiOf(typesWith({})),
    "api/v1/groupversion.info.ts": `// +groupName=${group}\nexport {};\n`,
  };
  expect(rejected(files)).toBe(
    `api/v1/groupversion.info.ts:1:4: ${JSON.stringify(group)} is not a valid group (a DNS name with a dot, RFC 1123): write one such as +groupName=cache.example.com`,
  );
});

test.each(["../v1", "V1", "1", "v1_alpha"])("rejects a version with the name %s", (version) => {
  const files = {
    ...apiOf(typesWith({})),
    "api/v1/groupversion.info.ts": `// +groupName=a.example.com\n// +versionName=${version}\nexport {};\n`,
  };
  expect(rejected(files)).toContain(
    `api/v1/groupversion.info.ts:2:4: ${JSON.stringify(version)} is not a valid version`,
  );
});

test.each([
  ["path=../evil", '"../evil"'],
  ["path=__proto__", '"__proto__"'],
  ["shortName=Ä", '"Ä"'],
  ["singular=Thing", '"Thing"'],
  ["categories=all;a b", '"a b"'],
])("rejects a resource with %s", (name, quoted) => {
  expect(rejected(apiOf(typesWith({ before: `// +kubebuilder:resource:${name}` })))).toContain(
    `api/v1/thing.types.ts:5:4: +kubebuilder:resource: ${quoted} is not a valid resource name`,
  );
});

test("accepts fields with the names of Object's members, but not __proto__", () => {
  const field = "constructor?: string; toString?: int32; hasOwnProperty?: Record<string, string>;";
  const { code, stderr, written } = runIn(apiOf(typesWith({ field })), all);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(written["config/crd/test.example.com_things.yaml"]).toMatch(
    /constructor:\n.*type: string\n *hasOwnProperty:\n/,
  );
  expect(rejected(apiOf(typesWith({ field: '"__proto__"?: string;' })))).toBe(
    "api/v1/thing.types.ts:3:3: __proto__ cannot be the name of a field: choose another name",
  );
});

test.each([
  ["a field", { field: "a?: int32; a?: string;" }, "3:14: Spec declares the field a twice: remove one"],
  [
    "an interface",
    { before: "export interface Spec { b?: string }" },
    "5:18: Spec is declared twice in this file: merge the two declarations",
  ],
])("rejects %s that is declared twice", (_what, of, message) => {
  expect(rejected(apiOf(typesWith(of)))).toBe(`api/v1/thing.types.ts:${message}`);
});

test.each([
  ["has a syntax error", "export interface {", "1:18: not TypeScript: Unexpected token"],
  ["contains a NUL", "export type A = 1\0;", "1:18: not TypeScript: Invalid Character"],
])("rejects a file of types that %s", (_what, text, message) => {
  expect(rejected({ ...apiOf(typesWith({})), "api/v1/other.types.ts": text })).toContain(
    `api/v1/other.types.ts:${message}`,
  );
});

test.each(["int23", "number", "Date"])(
  "reports a field of type %s, but not that its marker does not fit",
  (type) => {
    const lines = rejected(
      apiOf(typesWith({ field: `// +kubebuilder:validation:Minimum=0\n  a?: ${type};` })),
    );
    expect(lines.split("\n")).toHaveLength(1);
    expect(lines).toContain(`api/v1/thing.types.ts:4:7: ${type}`.replace("int23", "there is no type int23"));
  },
);

test("ignores an empty file, a byte order mark and Windows line endings", () => {
  const types = typesWith({ before: "// +kubebuilder:resource:shortName=th" });
  const plain = runIn(apiOf(types), all);
  const other = { ...apiOf(`\ufeff${types.replaceAll("\n", "\r\n")}`), "api/v1/empty.types.ts": "" };
  expect(runIn(other, all).written).toEqual(plain.written);
  expect(plain.code).toBe(0);
});

test("rejects forty types that each contain the next one twice, without expanding them", () => {
  const types = Array.from({ length: 40 }, (_, index) => {
    const inner = index === 0 ? "int32" : `T${index - 1}`;
    return `export interface T${index} { a: ${inner}; b: ${inner} }\n`;
  });
  const bomb = `${head}${types.join("")}export interface Thing extends KubeObject { spec?: T39 }\n`;
  expect(rejected(apiOf(bomb))).toBe(
    "api/v1/thing.types.ts:42:18: the schema of Thing has more than 100,000 values, more than a server can store: use JSONValue where types contain each other repeatedly",
  );
});

test("rejects a list that is nested three thousand times", () => {
  expect(rejected(apiOf(typesWith({ field: `a?: int32${"[]".repeat(3000)};` })))).toContain(
    "types within Thing are nested too deeply",
  );
});

test.each([
  [["crd", "--check", "--check"], "--check is given twice: give it once"],
  [["crd", "crd"], "crd is given twice"],
  [["crd", "output:dir=a", "output:dir=b"], "output:dir=b: the output is given twice"],
  [["crd:maxDescLen=1,maxDescLen=2"], "the argument maxDescLen is given twice"],
  [["crdx"], "there is no option crdx: did you mean crd?"],
  [["__proto__"], "there is no option __proto__"],
  [["crd:__proto__=1"], "there is no argument __proto__"],
  [["crd", "paths="], "paths=: the value is missing"],
  [["crd", "paths=./nowhere/..."], "nowhere does not exist"],
  [["rbac"], "rbac: the argument roleName is missing"],
  [["--", "crd"], "there is no flag --"],
  [[], "there is no generator"],
])("rejects the command line %j", (args, message) => {
  const line = rejected(apiOf(typesWith({})), args);
  expect(line.split("\n")).toHaveLength(1);
  expect(line).toContain(message);
});
