// Types that nobody meant: names that lead elsewhere or that a server refuses, things that are said twice, and types that
// grow beyond all bounds. Each is a line with its place, exit code 1, and nothing is written.
import { expect, test } from "vitest";
import { apiOf, runIn } from "./testing/run.ts";

const head = `import type { int32, KubeObject } from "@operator-path/controller-gen/types";\n`;
const all = ["crd", "object", "docs", "paths=./..."];

/** The kind stands on line 6, the field on line 3, what comes before the kind on line 5. */
function typesWith({ field = "a?: int32;", before = "//", kind = "Thing" }): string {
  return `${head}export interface Spec {\n  ${field}\n}\n${before}\nexport interface ${kind} extends KubeObject {\n  spec?: Spec;\n}\n`;
}

function refused(files: Record<string, string>, args: readonly string[] = all): string {
  const { code, stderr, stdout, written } = runIn(files, args);
  expect({ code, stdout, written }, stderr).toEqual({ code: 1, stdout: "", written: {} });
  return stderr.trimEnd();
}

test.each(["__proto__", "Größe", "A".repeat(60), "A$b", "A_b"])("a kind called %s", (kind) => {
  expect(refused(apiOf(typesWith({ kind })))).toBe(
    `api/v1/thing.types.ts:6:18: ${JSON.stringify(kind)} is no kind: letters, digits and "-", 59 at most: choose another name`,
  );
});

test.each([
  ["Argument", "arguments"],
  ["Thi", "this"],
])("a kind called %s, whose plural is a word of JavaScript", (kind, word) => {
  expect(refused(apiOf(typesWith({ kind })))).toContain(
    `of ${kind} a constant called ${word} would be made, and JavaScript has that word`,
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
])("a group called %j", (group) => {
  const files = {
    ...apiOf(typesWith({})),
    "api/v1/groupversion.info.ts": `// +groupName=${group}\nexport {};\n`,
  };
  expect(refused(files)).toBe(
    `api/v1/groupversion.info.ts:1:4: ${JSON.stringify(group)} is no group: it is a DNS name with a dot (RFC 1123): +groupName=cache.example.com is one`,
  );
});

test.each(["../v1", "V1", "1", "v1_alpha"])("a version called %s", (version) => {
  const files = {
    ...apiOf(typesWith({})),
    "api/v1/groupversion.info.ts": `// +groupName=a.example.com\n// +versionName=${version}\nexport {};\n`,
  };
  expect(refused(files)).toContain(
    `api/v1/groupversion.info.ts:2:4: ${JSON.stringify(version)} is no version`,
  );
});

test.each([
  ["path=../evil", '"../evil"'],
  ["path=__proto__", '"__proto__"'],
  ["shortName=Ä", '"Ä"'],
  ["singular=Thing", '"Thing"'],
  ["categories=all;a b", '"a b"'],
])("a resource of %s", (name, quoted) => {
  expect(refused(apiOf(typesWith({ before: `// +kubebuilder:resource:${name}` })))).toContain(
    `api/v1/thing.types.ts:5:4: +kubebuilder:resource: ${quoted} is no name of a resource`,
  );
});

test("names that Object has are names like any other", () => {
  const field = "constructor?: string; toString?: int32; hasOwnProperty?: Record<string, string>;";
  const { code, stderr, written } = runIn(apiOf(typesWith({ field })), all);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(written["config/crd/test.example.com_things.yaml"]).toMatch(
    /constructor:\n.*type: string\n *hasOwnProperty:\n/,
  );
  expect(refused(apiOf(typesWith({ field: '"__proto__"?: string;' })))).toBe(
    "api/v1/thing.types.ts:3:3: __proto__ is no name for a field: choose another one",
  );
});

test.each([
  [
    "a field",
    { field: "a?: int32; a?: string;" },
    "3:14: Spec has the field a already: leave one of the two",
  ],
  [
    "an interface",
    { before: "export interface Spec { b?: string }" },
    "5:18: Spec is declared already in this file: make one interface of the two",
  ],
])("%s that is declared twice", (_what, of, message) => {
  expect(refused(apiOf(typesWith(of)))).toBe(`api/v1/thing.types.ts:${message}`);
});

test.each([
  ["is no TypeScript", "export interface {", "1:18: not TypeScript: Unexpected token"],
  ["holds a NUL", "export type A = 1\0;", "1:18: not TypeScript: Invalid Character"],
])("a file of types that %s", (_what, text, message) => {
  expect(refused({ ...apiOf(typesWith({})), "api/v1/other.types.ts": text })).toContain(
    `api/v1/other.types.ts:${message}`,
  );
});

test.each(["int23", "number", "Date"])(
  "of a field of type %s nobody hears that its marker does not fit",
  (type) => {
    const lines = refused(
      apiOf(typesWith({ field: `// +kubebuilder:validation:Minimum=0\n  a?: ${type};` })),
    );
    expect(lines.split("\n")).toHaveLength(1);
    expect(lines).toContain(`api/v1/thing.types.ts:4:7: ${type}`.replace("int23", "there is no type int23"));
  },
);

test("an empty file, a byte order mark and the line ends of Windows change nothing", () => {
  const types = typesWith({ before: "// +kubebuilder:resource:shortName=th" });
  const plain = runIn(apiOf(types), all);
  const other = { ...apiOf(`\ufeff${types.replaceAll("\n", "\r\n")}`), "api/v1/empty.types.ts": "" };
  expect(runIn(other, all).written).toEqual(plain.written);
  expect(plain.code).toBe(0);
});

test("forty types that hold each other twice are no schema of a billion fields, and no hour of work", () => {
  const types = Array.from({ length: 40 }, (_, index) => {
    const inner = index === 0 ? "int32" : `T${index - 1}`;
    return `export interface T${index} { a: ${inner}; b: ${inner} }\n`;
  });
  const bomb = `${head}${types.join("")}export interface Thing extends KubeObject { spec?: T39 }\n`;
  expect(refused(apiOf(bomb))).toBe(
    "api/v1/thing.types.ts:42:18: the schema of Thing has more than 100,000 values, and no server stores it: use JSONValue where types hold each other many times",
  );
});

test("a list of lists of lists, three thousand deep", () => {
  expect(refused(apiOf(typesWith({ field: `a?: int32${"[]".repeat(3000)};` })))).toContain(
    "types within Thing are nested too deeply",
  );
});

test.each([
  [["crd", "--check", "--check"], "--check is given twice: give it once"],
  [["crd", "crd"], "crd is given twice"],
  [["crd", "output:dir=a", "output:dir=b"], "output:dir=b: the output is given twice"],
  [["crd:maxDescLen=1,maxDescLen=2"], "the argument maxDescLen stands twice"],
  [["crdx"], "there is no option crdx: did you mean crd?"],
  [["__proto__"], "there is no option __proto__"],
  [["crd:__proto__=1"], "there is no argument __proto__"],
  [["crd", "paths="], "paths=: a value is missing"],
  [["crd", "paths=./nowhere/..."], "there is no nowhere"],
  [["rbac"], "rbac: the argument roleName is missing"],
  [["--", "crd"], "there is no flag --"],
  [[], "nothing is to be generated"],
])("the command line %j", (args, message) => {
  const line = refused(apiOf(typesWith({})), args);
  expect(line.split("\n")).toHaveLength(1);
  expect(line).toContain(message);
});
