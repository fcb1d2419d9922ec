import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";

/** Fills in what containers do not say, and writes down in an annotation what was filled in. */
export function defaultResources(pod: ApiObject, limits: JsonObject[]): void {
  const perContainer = limits.filter(({ type }) => type === "Container");
  const requests: JsonObject = Object.assign(
    {},
    ...perContainer.map((limit) => object(limit.defaultRequest)),
  );
  const maxima: JsonObject = Object.assign({}, ...perContainer.map((limit) => object(limit.default)));
  const spec = object(pod.spec);
  const notes = [
    ...objects(spec.containers).flatMap((container) => fill(container, "container", requests, maxima)),
    ...objects(spec.initContainers).flatMap((container) =>
      fill(container, "init container", requests, maxima),
    ),
  ];
  if (notes.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    "kubernetes.io/limit-ranger": `LimitRanger plugin set: ${notes.join("; ")}`,
  };
}

function fill(container: JsonObject, what: string, requests: JsonObject, maxima: JsonObject): string[] {
  const resources = object(container.resources);
  const notes: string[] = [];
  const members: JsonObject = {};
  for (const [member, singular, defaults] of [
    ["requests", "request", requests],
    ["limits", "limit", maxima],
  ] as const) {
    const present = object(resources[member]);
    const missing = Object.keys(defaults).filter((name) => present[name] === undefined);
    const added = Object.fromEntries(missing.map((name) => [name, defaults[name]]));
    const all: JsonObject = { ...present, ...added };
    if (Object.keys(all).length > 0) members[member] = all;
    if (missing.length > 0) {
      notes.push(`${missing.sort().join(", ")} ${singular} for ${what} ${text(container.name)}`);
    }
  }
  container.resources = { ...resources, ...members };
  return notes;
}
