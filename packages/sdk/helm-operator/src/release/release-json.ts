import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { type Hook, type Release, releaseStatusOf } from "./release.ts";

/**
 * A release out of the JSON that helm writes, into Secrets and with `-o json`. What helm leaves out when it is empty is "",
 * 0 or an empty list here.
 *
 * @throws Error that says which field is not what it should be
 */
export function parseReleaseJson(text: string): Release {
  const json: JsonValue = JSON.parse(text);
  if (!isJsonObject(json)) throw new Error("it is no object");
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
    // Helm 3 writes "" for a moment that has not come.
    ...given("firstDeployed", textOf(info, "first_deployed") || undefined),
    ...given("lastDeployed", textOf(info, "last_deployed") || undefined),
    ...given("deleted", textOf(info, "deleted") || undefined),
    ...given("applyMethod", textOf(json, "apply_method")),
  };
}

function hookOf(json: JsonValue): Hook {
  if (!isJsonObject(json)) throw new Error("one of its hooks is no object");
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
    throw new Error("its version is no whole number");
  }
  return revision;
}

function objectOf(json: JsonObject, key: string): JsonObject {
  const value = own(json, key) ?? {};
  if (!isJsonObject(value)) throw new Error(`its ${key} is no object`);
  return value;
}

function listOf(json: JsonObject, key: string): JsonValue[] {
  const value = own(json, key) ?? [];
  if (!Array.isArray(value)) throw new Error(`its ${key} are no list`);
  return value;
}

function textOf(json: JsonObject, key: string): string | undefined {
  const value = own(json, key) ?? undefined;
  if (value !== undefined && typeof value !== "string") throw new Error(`its ${key} is no string`);
  return value;
}

function given<Key extends string>(key: Key, value: string | undefined): { [K in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: string };
}
