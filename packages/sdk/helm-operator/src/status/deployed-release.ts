import { stringify } from "yaml";
import { documentsOf } from "../drift/parse-manifest.ts";
import { isJsonObject, type JsonObject, type JsonValue, own, put } from "../json.ts";
import { parseYamlDocuments } from "../yaml/parse-yaml.ts";
import type { DeployedRelease } from "./conditions.ts";

export interface DeployedReleaseOptions {
  /**
   * The largest size of the manifest, in bytes of UTF-8. Objects that do not fit are left out. Default
   * 262,144; an API server accepts objects of about 1.5 MB.
   */
  readonly maxBytes?: number;
}

/** Replaces each value of a Secret. */
const redacted = "REDACTED";

/**
 * Returns a release as a status shows it: the manifest without the values of its Secrets, and without what
 * would make the status too large. Users who may read the object need not be allowed to read Secrets.
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
  return `---\n# ${count} more documents do not fit here: helm get manifest ${name}\n`;
}

/** Returns the document unchanged, unless it contains a Secret. */
function shown(text: string, template: string): string {
  let values: JsonValue[];
  try {
    values = parseYamlDocuments(text, { uniqueKeys: false }).map(({ value }) => value);
  } catch {
    // It may hold a secret.
    return `\n# ${template || "a document"}: not shown, because its output is not YAML\n`;
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

/** kubectl repeats the applied object in this annotation, data included. */
function withoutLastApplied(metadata: JsonObject): JsonObject {
  const annotations = own(metadata, "annotations");
  if (!isJsonObject(annotations)) return metadata;
  const { "kubectl.kubernetes.io/last-applied-configuration": _, ...others } = annotations;
  return { ...metadata, annotations: others };
}

function isSecret(value: JsonObject): boolean {
  return own(value, "kind") === "Secret" || own(value, "kind") === "SecretList";
}
