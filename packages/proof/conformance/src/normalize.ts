import { isMap, type Json, type JsonMap } from "./script.ts";

/** Replaces the values that differ between any two servers. Each script has its own, with a memory. */
export type Normalizer = (value: Json) => Json;

/**
 * Returns a new normalizer. It numbers uids and resourceVersions of objects in the order of their appearance
 * (`<uid 1>`, `<version 2>`), so equal values stay equal. Times, generated suffixes, cluster IPs, node ports,
 * ages in cells and tokens become words.
 */
export function createNormalizer(): Normalizer {
  const uids = createNames("uid");
  const versions = createNames("version");
  const generated = createNames("generated");

  function text(value: string): string {
    return (
      value
        // A dump of the object in Go's order of members.
        .replaceAll(/Invalid value: "\{\\".*\}": /g, "Invalid value: <the object>: ")
        .replaceAll(
          /Invalid value: \{".*\}: field is immutable/g,
          "Invalid value: <the object>: field is immutable",
        )
        // A diff of two Go dumps follows.
        .replace(/((?:previously negative\)|may not be changed|for bound claims))\n[\s\S]*$/, "$1")
        .replaceAll(/(resource version: \d+, current: )\d+/g, "$1<list version>")
        .replaceAll(/(too old resource version: \d+ \()\d+/g, "$1<list version>")
        .replaceAll(/(ResourceVersion in record \()\d+/g, "$1<version>")
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, uids)
        .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
        .replaceAll(/\b(\d+):3\d{4}\/(TCP|UDP)/g, "$1:<node port>/$2")
        .replaceAll(/kube-api-access-[a-z0-9]{5}\b/g, "kube-api-access-<generated>")
        .replaceAll(/\b10\.96\.\d+\.\d+\b/g, "<cluster IP>")
        .replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, "<url>")
        .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>")
    );
  }

  function walk(value: Json, path: string): Json {
    if (typeof value === "string") return knownSuffixes(text(value));
    if (Array.isArray(value)) return value.map((item) => walk(item, `${path}[]`));
    if (!isMap(value)) return value;
    if (value.kind === "Status" && value.status === "Failure")
      return walkMap(sortCauses(withoutGeneratedName(value)), path);
    return walkMap(value, path);
  }

  function walkMap(value: JsonMap, path: string): JsonMap {
    if (typeof value.generateName === "string" && typeof value.name === "string") {
      const suffix = value.name.slice(value.generateName.length);
      if (suffix !== "") suffixes.set(value.name, `${value.generateName}${generated(suffix)}`);
    }
    const members = Object.entries(value).map(([name, member = null]): [string, Json] => {
      // Keys in managedFields contain the uids of owners.
      const key = text(name);
      const at = `${path}.${key}`;
      if (key === "resourceVersion" && typeof member === "string") {
        const isList = "continue" in value || "remainingItemCount" in value || listLike.test(path);
        return [key, isList || member === "" || member === "0" ? "<list version>" : versions(member)];
      }
      if (key === "object" && value.type === "BOOKMARK" && isMap(member) && isMap(member.metadata)) {
        return [key, walk({ ...member, metadata: { ...member.metadata, resourceVersion: "0" } }, at)];
      }
      if (/^(nonR|r)esourceRules$/.test(key) && Array.isArray(member))
        return [key, sortManagers(walk(member, at))];
      if ((key === "nodePort" || key === "healthCheckNodePort") && typeof member === "number")
        return [key, "<node port>"];
      if (key === "continue" && typeof member === "string" && member !== "") return [key, "<token>"];
      if (key === "cells" && Array.isArray(member))
        return [key, member.map((cell) => ageless(walk(cell, at)))];
      if (key === "managedFields" && Array.isArray(member)) return [key, sortManagers(walk(member, at))];
      return [key, walk(member, at)];
    });
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  const suffixes = new Map<string, string>();
  function knownSuffixes(value: string): string {
    let result = value;
    for (const [name, stands] of suffixes) result = result.replaceAll(name, stands);
    return result;
  }

  return (value) => {
    const isList = isMap(value) && (Array.isArray(value.items) || Array.isArray(value.rows));
    return walk(value, isList ? "list" : "");
  };
}

/** Entries of one second come in any order. */
const sortManagers = (entries: Json): Json =>
  Array.isArray(entries)
    ? [...entries].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : entries;

const listLike = /^list\.metadata$/;

function createNames(kind: string): (found: string) => string {
  const names = new Map<string, string>();
  return (found) => {
    const name = names.get(found) ?? `<${kind} ${names.size + 1}>`;
    names.set(found, name);
    return name;
  };
}

const ageless = (cell: Json): Json =>
  typeof cell === "string" && /^(\d+[smhdy])+$|^<invalid>$/.test(cell) ? "<age>" : cell;

/** Replaces the suffix of a generated name that the server itself rejects. */
function withoutGeneratedName(status: JsonMap): JsonMap {
  const name = isMap(status.details) ? status.details.name : undefined;
  if (typeof name !== "string" || !String(status.message).includes("metadata.generateName")) return status;
  const text = JSON.stringify(status).replaceAll(name, `${name.slice(0, -5)}<generated>`);
  return JSON.parse(text) as JsonMap;
}

/**
 * A real server collects some causes in the random order of a Go map, and repeats some of them.
 */
function sortCauses(status: JsonMap): JsonMap {
  const { details } = status;
  if (!isMap(details) || !Array.isArray(details.causes) || details.causes.length < 2) return status;
  const texts = new Set(details.causes.map((cause) => JSON.stringify(cause)));
  const causes = [...texts].sort().map((text) => JSON.parse(text) as Json);
  const message = String(status.message);
  const list = /^(.*?: )\[(.*)\]$/s.exec(message);
  const sorted = list ? `${list[1]}[${(list[2] ?? "").split(", ").sort().join(", ")}]` : message;
  return { ...status, message: sorted, details: { ...details, causes } };
}
