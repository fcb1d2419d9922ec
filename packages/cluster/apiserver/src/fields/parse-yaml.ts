import { parseDocument } from "yaml";
import type { JsonValue } from "../json.ts";

/** Not YAML, or YAML that expands beyond reason. Starts with `yaml: `, as a real server's message does. */
export class YamlSyntaxError extends Error {
  override readonly name = "YamlSyntaxError";
}

export interface ParsedYaml {
  value: JsonValue;
  /** `line 5: key "x" already set in map`, in the order of the text. The last value wins. */
  duplicates: string[];
}

/** As for JSON. */
const maximumDepth = 1_000;

// A real server's YAML is YAML 1.1 without base 60 numbers, and a date stays the string that it is.
const leftOut = new Set(["timestamp", "intTime", "floatTime", "binary", "omap", "pairs", "set"]);

/**
 * One YAML document as sigs.k8s.io/yaml reads it: YAML 1.1 (`yes` is true, `012` is ten), keys become strings.
 * Aliases are limited: a document that names anchors again and again cannot grow without bound.
 * @throws YamlSyntaxError
 */
export function parseYaml(text: string): ParsedYaml {
  const document = parseDocument(text, {
    version: "1.1",
    uniqueKeys: false,
    merge: true,
    logLevel: "silent",
    customTags: (tags) => tags.filter((tag) => !leftOut.has(nameOf(tag))),
  });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const line = problem.linePos?.[0]?.line;
    const message = problem.message.split(/ at line \d+/)[0];
    throw new YamlSyntaxError(`yaml: ${line === undefined ? "" : `line ${line}: `}${message}`);
  }
  const duplicates: string[] = [];
  findDuplicates(document.contents, text, duplicates);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new YamlSyntaxError(`yaml: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { value: toJson(value), duplicates };
}

function nameOf(tag: unknown): string {
  if (typeof tag === "string") return tag;
  const { tag: uri, format } = tag as { tag?: string; format?: string };
  if (format === "TIME") return uri === "tag:yaml.org,2002:float" ? "floatTime" : "intTime";
  return (uri ?? "").replace("tag:yaml.org,2002:", "");
}

interface Node {
  items?: unknown[];
  key?: unknown;
  value?: unknown;
  range?: [number, number, number];
}

function findDuplicates(node: unknown, text: string, found: string[]): void {
  if (typeof node !== "object" || node === null) return;
  const { items } = node as Node;
  if (!Array.isArray(items)) return;
  const seen = new Set<string>();
  for (const item of items as Node[]) {
    if (item === null || typeof item !== "object") continue;
    if (!("key" in item)) {
      findDuplicates(item, text, found);
      continue;
    }
    const key = item.key as Node | null;
    const name = String(key?.value ?? key);
    if (seen.has(name) && name !== "<<") {
      const line = text.slice(0, key?.range?.[0] ?? 0).split("\n").length;
      found.push(`line ${line}: key ${JSON.stringify(name)} already set in map`);
    }
    seen.add(name);
    findDuplicates(item.value, text, found);
  }
}

/** Values that JSON does not have become what the Go library makes of them. */
function toJson(value: unknown, around: readonly object[] = []): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "object" && around.includes(value)) {
    throw new YamlSyntaxError("yaml: the value of an anchor contains itself");
  }
  if (around.length > maximumDepth) throw new YamlSyntaxError("yaml: exceeded max depth");
  if (Array.isArray(value)) return value.map((item) => toJson(item, [...around, value]));
  if (typeof value === "object") {
    const inside = [...around, value];
    const members = Object.entries(value).map(([key, member]) => [key, toJson(member, inside)] as const);
    // Object.fromEntries defines members, so "__proto__" stays data. A real server goes through a sorted map.
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean") return value;
  return String(value);
}
