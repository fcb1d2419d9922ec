/**
 * Writes the Kubernetes types that an API file can embed. data/kubernetes-types.json.br has the schemas that
 * controller-tools generates from the Go types, and src/generated/types.ts has their names in TypeScript.
 *
 * node --conditions=@operator-path/source packages/sdk/controller-gen/scripts/generate-kubernetes-types.ts
 *
 * Needs Go and its module proxy. The versions are those of scripts/kubernetes-types/go.mod.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

interface Schema {
  $ref?: string;
  type?: string;
  [key: string]: unknown;
}

const here = import.meta.dirname;
// If several packages have a type with the same name, the first package in this list wins.
const packages = [
  "k8s.io/apimachinery/pkg/apis/meta/v1",
  "k8s.io/api/core/v1",
  "k8s.io/api/apps/v1",
  "k8s.io/api/batch/v1",
  "k8s.io/api/networking/v1",
  "k8s.io/api/policy/v1",
  "k8s.io/api/rbac/v1",
  "k8s.io/api/autoscaling/v2",
];
const helpers = [
  "k8s.io/apimachinery/pkg/api/resource",
  "k8s.io/apimachinery/pkg/util/intstr",
  "k8s.io/apimachinery/pkg/runtime",
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1",
];
// Types that are written by hand: those in src/basic-types.ts, and ObjectMeta and TypeMeta of the client.
const own = ["Time", "MicroTime", "Duration", "ObjectMeta", "TypeMeta"];

const printed = execFileSync("go", ["run", ".", ...packages, ...helpers], {
  cwd: join(here, "kubernetes-types"),
  maxBuffer: 1 << 28,
});
const { types } = JSON.parse(printed.toString()) as { types: Record<string, Record<string, Schema>> };

/** The bodies of the client's generated interfaces, by name. */
const wireTypes = readFileSync(join(here, "../../client/src/generated/kubernetes-types.ts"), "utf8");
const interfaces = new Map(
  [...wireTypes.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = "", body = ""]) => [
    name,
    body,
  ]),
);
const added: Record<string, Schema> = {};
const names: Record<string, string> = {};
const aliases: string[] = [];
const reExported: string[] = [];
for (const path of packages) {
  for (const [name, schema] of Object.entries(types[path] ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (name in names || own.includes(name)) continue;
    const alias = aliasOf(name, schema);
    if (alias === undefined) continue;
    names[name] = `${path}.${name}`;
    if (alias === name) reExported.push(`  ${name},`);
    else aliases.push(`export type ${name} = ${alias};`);
    addType(path, name);
  }
}
for (const [path, name] of [
  ...own.map((name) => [packages[0] ?? "", name] as const),
  ["k8s.io/apimachinery/pkg/api/resource", "Quantity"],
  ["k8s.io/apimachinery/pkg/util/intstr", "IntOrString"],
  ["k8s.io/apimachinery/pkg/runtime", "RawExtension"],
  ["k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON"],
] as const) {
  // JavaScript already has the name JSON.
  names[name === "JSON" ? "JSONValue" : name] = `${path}.${name}`;
  addType(path, name);
}

/** Adds a type and everything that it refers to. */
function addType(path: string, name: string): void {
  const id = `${path}.${name}`;
  const schema = types[path]?.[name];
  if (id in added || schema === undefined) return;
  added[id] = {};
  added[id] = JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== "$ref") return value;
    const [target = "", foreign] = String(value).replace("#/definitions/", "").split("~0").toReversed();
    const at = foreign === undefined ? path : foreign.replaceAll("~1", "/");
    addType(at, target);
    return `${at}.${target}`;
  }) as Schema;
}

function aliasOf(name: string, { type, properties }: Schema): string | undefined {
  if (type === "string") return "string";
  // This type is a map, so it has no interface.
  if (name === "ResourceList") return "{ [name: string]: number | string }";
  if (
    type !== "object" ||
    (properties !== undefined && "items" in (properties as object) && name.endsWith("List"))
  )
    return undefined;
  const body = interfaces.get(name);
  if (body === undefined) return undefined;
  // A Kubernetes object cannot be part of another one.
  return /^ {2}kind\?: string\b[\s\S]*^ {2}metadata\?: ObjectMeta/m.test(body) && !name.endsWith("Template")
    ? undefined
    : name;
}

const goMod = readFileSync(join(here, "kubernetes-types/go.mod"), "utf8");
const versionOf = (module: string): string => new RegExp(`${module} (v\\S+)`).exec(goMod)?.[1] ?? "";
const text = JSON.stringify({
  source: `https://github.com/kubernetes/kubernetes (k8s.io/api and k8s.io/apimachinery ${versionOf("k8s.io/api")}), by controller-tools ${versionOf("sigs.k8s.io/controller-tools")}`,
  license: "Apache-2.0",
  names,
  types: Object.fromEntries(Object.entries(added).sort(([a], [b]) => (a < b ? -1 : 1))),
});
writeFileSync(
  join(here, "../data/kubernetes-types.json.br"),
  brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22 },
  }),
);
const basic = [
  ...readFileSync(join(here, "../src/basic-types.ts"), "utf8").matchAll(/^export type (\w+)/gm),
].map(([, name]) => `  ${name},`);
writeFileSync(
  join(here, "../src/generated/types.ts"),
  `// Written by scripts/generate-kubernetes-types.ts.
/**
 * The types of an API file: numbers with a range, and Kubernetes' own types. controller-gen knows each one by
 * name.
 *
 *     import type { int32, KubeObject, ResourceRequirements } from "@operator-path/controller-gen/types";
 */
export type { KubeObject, ObjectMeta } from "@operator-path/client";
export type {
${reExported.sort().join("\n")}
} from "@operator-path/client/types";
export type {
${basic.join("\n")}
} from "../basic-types.ts";

${aliases.sort().join("\n")}
`,
);
console.log(
  `${Object.keys(names).length} names, ${Object.keys(added).length} types, ${text.length} characters`,
);
