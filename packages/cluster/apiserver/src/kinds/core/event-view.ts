import type { ApiObject, JsonObject, JsonValue } from "../../lib/json/json.ts";
import type { ObjectView } from "../../server/registry/strategy.ts";
import { encodeExactly, type StoredObject } from "../../server/storage/stored-object.ts";

/**
 * Fields of events.k8s.io/v1 with another name in core/v1 (pkg/apis/events/v1/conversion.go of Kubernetes).
 */
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

function toCoreEvent(event: ApiObject): ApiObject {
  const core = renamed(event, names);
  // Fields that core/v1 always writes.
  const required: JsonObject = { source: {}, firstTimestamp: null, lastTimestamp: null };
  return { ...required, ...core, apiVersion: "v1" };
}

function fromCoreEvent(event: ApiObject): ApiObject {
  return { ...renamed(event, reversed), apiVersion: "events.k8s.io/v1" };
}

function renamed(event: ApiObject, map: Record<string, string>): ApiObject {
  const entries = Object.entries(event).map(([key, value]): [string, JsonValue | undefined] => [
    Object.hasOwn(map, key) ? (map[key] as string) : key,
    value,
  ]);
  return Object.fromEntries(entries) as ApiObject;
}

/** Returns an Event in the other one of its two versions. */
export function eventInVersion(event: ApiObject, apiVersion: string): ApiObject {
  if (apiVersion === "events.k8s.io/v1") return fromCoreEvent(event);
  if (event.apiVersion === "events.k8s.io/v1") return toCoreEvent(event);
  return { ...event, apiVersion };
}

/** Shows Events, which are stored as core/v1, as events.k8s.io/v1. */
export function createNewerEventView(): ObjectView {
  const converted = new WeakMap<StoredObject, Buffer>();
  return {
    ready: () => undefined,
    object: (stored) => fromCoreEvent(stored.object),
    body(stored) {
      let body = converted.get(stored);
      if (body === undefined) {
        const { apiVersion: _version, kind: _kind, ...rest } = fromCoreEvent(stored.object);
        body = encodeExactly(JSON.stringify(rest).slice(1, -1));
        if (!stored.retired) converted.set(stored, body);
      }
      return body;
    },
    toStorage: toCoreEvent,
  };
}
