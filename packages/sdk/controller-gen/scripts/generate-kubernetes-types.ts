/**
 * Writes what an API file may embed: data/kubernetes-types.json.br, the schemas that controller-tools makes of
 * Kubernetes' own Go types, and src/generated/types.ts, their names in TypeScript.
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
// Of types of the same name, that of the package that stands first is meant.
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
// Those that src/types.ts has by hand.
const own = ["Time", "MicroTime", "Duration", "ObjectMeta", "TypeMeta"];

const printed = execFileSync("go", ["run", ".", ...packages, ...helpers], {
  cwd: join(here, "kubernetes-types"),
  maxBuffer: 1 << 28,
});
const { types } = JSON.parse(printed.toString()) as { types: Record<string, Record<string, Schema>> };

/** The interfaces that the client has for types of the wire. */
const wireTypes = readFileSync(join(here, "../../client/src/generated/kubernetes-types.ts"), "utf8");
const interfaces = new Map(
  [...wireTypes.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = "", body = ""]) => [
    name,
    body,
  ]),
);
const kept: Record<string, Schema> = {};
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
    keep(path, name);
  }
}
for (const [path, name] of [
  ...own.map((name) => [packages[0] ?? "", name] as const),
  ["k8s.io/apimachinery/pkg/api/resource", "Quantity"],
  ["k8s.io/apimachinery/pkg/util/intstr", "IntOrString"],
  ["k8s.io/apimachinery/pkg/runtime", "RawExtension"],
  ["k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSON"],
] as const) {
  // JSON is a name that JavaScript has already.
  names[name === "JSON" ? "JSONValue" : name] = `${path}.${name}`;
  keep(path, name);
}

/** With everything that it refers to. */
function keep(path: string, name: string): void {
  const id = `${path}.${name}`;
  const schema = types[path]?.[name];
  if (id in kept || schema === undefined) return;
  kept[id] = {};
  kept[id] = JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== "$ref") return value;
    const [target = "", foreign] = String(value).replace("#/definitions/", "").split("~0").toReversed();
    const at = foreign === undefined ? path : foreign.replaceAll("~1", "/");
    keep(at, target);
    return `${at}.${target}`;
  }) as Schema;
}

function aliasOf(name: string, { type, properties }: Schema): string | undefined {
  if (type === "string") return "string";
  // A map has no interface.
  if (name === "ResourceList") return "{ [name: string]: number | string }";
  if (
    type !== "object" ||
    (properties !== undefined && "items" in (properties as object) && name.endsWith("List"))
  )
    return undefined;
  const body = interfaces.get(name);
  if (body === undefined) return undefined;
  // What has a kind of its own is no part of another object.
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
  types: Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1))),
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
 * What an API file is written in: numbers with their range, and Kubernetes' own types. controller-gen knows each by its
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
  `${Object.keys(names).length} names, ${Object.keys(kept).length} types, ${text.length} characters`,
);
