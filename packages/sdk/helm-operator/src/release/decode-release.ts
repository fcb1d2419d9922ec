import { gunzipSync } from "node:zlib";
import type { Secret } from "@operator-path/client";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { type Hook, type Release, releaseStatusOf } from "./release.ts";

/** A Secret holds no valid release. The message names the Secret, the problem and the remedy. */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";
}

/** The type of the Secrets in which helm stores releases. */
export const releaseSecretType = "helm.sh/release.v1";

/** Labels that helm sets itself. */
const helmsLabels = ["name", "owner", "status", "version", "createdAt", "modifiedAt"];

/**
 * A Secret holds a megabyte, and no real release unpacks to more than this. Without a limit, users who may
 * write Secrets could exhaust the operator's memory.
 */
const maximumJson = 32 * 1024 * 1024;

/**
 * Decodes the release in a Secret: base64 (the Secret's own) of base64 of gzip of JSON. Reads the
 * uncompressed releases of early helm 3 versions, too.
 *
 * @throws ReleaseError when the Secret holds no valid release
 */
export function decodeRelease(secret: Secret): Release {
  try {
    const data = secret.data?.release;
    if (data === undefined) throw new Error("it has no data.release");
    const bytes = Buffer.from(Buffer.from(data, "base64").toString("latin1"), "base64");
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;
    const json = isGzip ? gunzipSync(bytes, { maxOutputLength: maximumJson }) : bytes;
    const release = parseReleaseJson(json.toString("utf8"));
    const labels = givenLabels(secret);
    return labels.length > 0 ? { ...release, labels: Object.fromEntries(labels) } : release;
  } catch (error) {
    const { namespace, name } = secret.metadata ?? {};
    throw new ReleaseError(
      `Secret ${namespace}/${name} contains no helm release: ${(error as Error).message}: restore it from a backup, or delete it to make helm forget that revision`,
      { cause: error },
    );
  }
}

/** Returns the labels that were given to the release: only its Secret's metadata has them. */
function givenLabels({ metadata }: Secret): [string, string][] {
  return Object.entries(metadata?.labels ?? {}).filter(([name]) => !helmsLabels.includes(name));
}

/**
 * Parses a release from the JSON that helm writes into Secrets and prints with `-o json`. Fields that helm
 * omits when empty become "", 0 or an empty list.
 *
 * @throws Error naming the invalid field
 */
export function parseReleaseJson(text: string): Release {
  const json: JsonValue = JSON.parse(text);
  if (!isJsonObject(json)) throw new Error("it is not an object");
  const [info, chart] = [objectOf(json, "info"), objectOf(json, "chart")];
  const metadata = objectOf(chart, "metadata");
  return {
    name: textOf(json, "name") ?? "",
    namespace: textOf(json, "namespace") ?? "",
    revision: revisionOf(json),
    status: releaseStatusOf(textOf(info, "status")),
    manifest: textOf(json, "manifest") ?? "",
    hooks: listOf(json, "hooks").map(hookOf),
    chart: {
      name: textOf(metadata, "name") ?? "",
      version: textOf(metadata, "version") ?? "",
      ...given("appVersion", textOf(metadata, "appVersion")),
    },
    values: objectOf(json, "config"),
    ...given("notes", textOf(info, "notes")),
    ...given("description", textOf(info, "description")),
    // Helm 3 writes "" for a time that is not set.
    ...given("firstDeployed", textOf(info, "first_deployed") || undefined),
    ...given("lastDeployed", textOf(info, "last_deployed") || undefined),
    ...given("deleted", textOf(info, "deleted") || undefined),
    ...given("applyMethod", textOf(json, "apply_method")),
  };
}

function hookOf(json: JsonValue): Hook {
  if (!isJsonObject(json)) throw new Error("one of its hooks is not an object");
  return {
    name: textOf(json, "name") ?? "",
    kind: textOf(json, "kind") ?? "",
    path: textOf(json, "path") ?? "",
    manifest: textOf(json, "manifest") ?? "",
    events: listOf(json, "events").map(String),
  };
}

function revisionOf(json: JsonObject): number {
  const revision = own(json, "version") ?? 0;
  if (typeof revision !== "number" || !Number.isSafeInteger(revision)) {
    throw new Error("its version is not a whole number");
  }
  return revision;
}

function objectOf(json: JsonObject, key: string): JsonObject {
  const value = own(json, key) ?? {};
  if (!isJsonObject(value)) throw new Error(`its ${key} is not an object`);
  return value;
}

function listOf(json: JsonObject, key: string): JsonValue[] {
  const value = own(json, key) ?? [];
  if (!Array.isArray(value)) throw new Error(`its ${key} are not a list`);
  return value;
}

function textOf(json: JsonObject, key: string): string | undefined {
  const value = own(json, key) ?? undefined;
  if (value !== undefined && typeof value !== "string") throw new Error(`its ${key} is not a string`);
  return value;
}

function given<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}
