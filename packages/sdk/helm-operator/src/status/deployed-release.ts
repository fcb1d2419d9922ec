import { stringify } from "yaml";
import { documentsOf } from "../drift/manifest-documents.ts";
import { isJsonObject, type JsonObject, type JsonValue, own, put } from "../json.ts";
import { parseYamlDocuments } from "../yaml/parse-yaml.ts";
import type { DeployedRelease } from "./conditions.ts";

export interface DeployedReleaseOptions {
  /**
   * Bytes of UTF-8 that the manifest may have: what does not fit any more is left out, object by object. Default 262,144. An
   * API server takes resources of some 1.5 MB.
   */
  readonly maxBytes?: number;
}

/** Stands in the place of each value of a Secret. */
const redacted = "REDACTED";

/**
 * A release as a status shows it: with its manifest, but without what its Secrets hold, and without what would make the
 * status too large. Whoever may read the resource need not be one who may read Secrets.
 */
export function deployedRelease(
  name: string,
  manifest: string,
  { maxBytes = 262_144 }: DeployedReleaseOptions = {},
): DeployedRelease {
  const documents = documentsOf(manifest)
    .filter(({ text }) => text.trim() !== "")
    .map(({ text, template }) => `---${shown(text, template)}`);
  const whole = documents.join("");
  if (Buffer.byteLength(whole) <= maxBytes) return { name, manifest: whole };
  const room = maxBytes - Buffer.byteLength(noteOf(documents.length, name));
  let kept = "";
  let count = 0;
  for (const document of documents) {
    if (Buffer.byteLength(kept) + Buffer.byteLength(document) > room) break;
    kept += document;
    count++;
  }
  return { name, manifest: kept + noteOf(documents.length - count, name) };
}

function noteOf(count: number, name: string): string {
  return `---\n# ${count} more documents, which have no room here: helm get manifest ${name}\n`;
}

/** The document as it is, unless there is a Secret in it. */
function shown(text: string, template: string): string {
  let values: JsonValue[];
  try {
    values = parseYamlDocuments(text, { uniqueKeys: false }).map(({ value }) => value);
  } catch {
    // It may hold anything.
    return `\n# ${template || "a document"}: what it renders is not YAML, and is not shown\n`;
  }
  if (!values.some(hasSecret)) return text;
  const source = template === "" ? "\n" : `\n# Source: ${template}\n`;
  return `${source}${values.map((value) => stringify(withoutSecrets(value), { version: "1.1" })).join("---\n")}`;
}

function hasSecret(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const items = own(value, "items");
  return isSecret(value) || (Array.isArray(items) && items.some(hasSecret));
}

function withoutSecrets(value: JsonValue, isSecretList = false): JsonValue {
  if (!isJsonObject(value)) return value;
  const items = own(value, "items");
  if (isSecret(value) || isSecretList) {
    const shown: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      put(shown, name, memberOf(name, member));
    }
    return shown;
  }
  return Array.isArray(items) ? { ...value, items: items.map((item) => withoutSecrets(item)) } : value;

  function memberOf(name: string, member: JsonValue): JsonValue {
    if (name === "data" || name === "stringData")
      return isJsonObject(member) ? redactedMembers(member) : redacted;
    if (name === "items" && Array.isArray(member)) return member.map((item) => withoutSecrets(item, true));
    return name === "metadata" && isJsonObject(member) ? withoutLastApplied(member) : member;
  }
}

function redactedMembers(data: JsonObject): JsonObject {
  const shown: JsonObject = {};
  for (const name of Object.keys(data)) put(shown, name, redacted);
  return shown;
}

/** kubectl repeats there what it has applied, data and all. */
function withoutLastApplied(metadata: JsonObject): JsonObject {
  const annotations = own(metadata, "annotations");
  if (!isJsonObject(annotations)) return metadata;
  const { "kubectl.kubernetes.io/last-applied-configuration": _, ...others } = annotations;
  return { ...metadata, annotations: others };
}

function isSecret(value: JsonObject): boolean {
  return own(value, "kind") === "Secret" || own(value, "kind") === "SecretList";
}
