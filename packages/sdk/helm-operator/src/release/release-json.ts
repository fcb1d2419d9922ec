import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { type Hook, type Release, releaseStatusOf } from "./release.ts";

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
