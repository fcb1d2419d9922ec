import type { ApiObject, JsonObject, JsonValue } from "../../lib/json/json.ts";

/** events.k8s.io/v1 → core/v1, where they differ (pkg/apis/events/v1/conversion.go of Kubernetes). */
const names: Record<string, string> = {
  regarding: "involvedObject",
  note: "message",
  deprecatedSource: "source",
  deprecatedFirstTimestamp: "firstTimestamp",
  deprecatedLastTimestamp: "lastTimestamp",
  deprecatedCount: "count",
  reportingController: "reportingComponent",
};
const reversed = Object.fromEntries(Object.entries(names).map(([newer, core]) => [core, newer]));

export function toCoreEvent(event: ApiObject): ApiObject {
  const core = renamed(event, names);
  // Fields that core/v1 always writes.
  const required: JsonObject = { source: {}, firstTimestamp: null, lastTimestamp: null };
  return { ...required, ...core, apiVersion: "v1" };
}

export function fromCoreEvent(event: ApiObject): ApiObject {
  return { ...renamed(event, reversed), apiVersion: "events.k8s.io/v1" };
}

function renamed(event: ApiObject, map: Record<string, string>): ApiObject {
  const entries = Object.entries(event).map(([key, value]): [string, JsonValue | undefined] => [
    Object.hasOwn(map, key) ? (map[key] as string) : key,
    value,
  ]);
  return Object.fromEntries(entries) as ApiObject;
}
