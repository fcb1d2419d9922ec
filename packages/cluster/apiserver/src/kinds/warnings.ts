import { isDeepStrictEqual } from "node:util";
import { isDns1123Label } from "../lib/formats/names.ts";
import type { ApiObject, JsonObject } from "../lib/json/json.ts";
import { object } from "../lib/json/read.ts";
import { warnOfPodSpec } from "./core/pod/warnings.ts";
import { warnOfService } from "./core/service/warnings.ts";

/** Kinds whose Pods are named after them. */
const namesPods = new Set([
  "apps/Deployment",
  "apps/ReplicaSet",
  "batch/CronJob",
  "batch/Job",
  "/ReplicationController",
]);

/** Where a kind has its Pod template. */
const templates: Record<string, readonly string[]> = {
  "apps/DaemonSet": ["spec", "template"],
  "apps/Deployment": ["spec", "template"],
  "apps/ReplicaSet": ["spec", "template"],
  "apps/StatefulSet": ["spec", "template"],
  "batch/CronJob": ["spec", "jobTemplate", "spec", "template"],
  "batch/Job": ["spec", "template"],
  "/PodTemplate": ["template"],
  "/ReplicationController": ["spec", "template"],
};

/**
 * What may be stored, but is probably a mistake: texts for `Warning` headers (WarningsOnCreate and WarningsOnUpdate of each
 * kind's strategy). Of an object that is changed, a Pod template is looked at again only where it has changed.
 */
export function warningsOnWrite(
  written: ApiObject,
  old: ApiObject | undefined,
  type: { group: string; kind: string },
): string[] {
  const key = `${type.group}/${type.kind}`;
  const warnings: string[] = old === undefined ? warnOfName(key, written.metadata.name ?? "") : [];
  if (key === "/Pod" && old === undefined) {
    return [...warnings, ...warnOfPodSpec(object(written.spec), "spec")];
  }
  if (key === "/Service") return warnOfService(written);
  const path = templates[key];
  if (path === undefined) return warnings;
  const template = at(written as JsonObject, path);
  if (old !== undefined && isDeepStrictEqual(at(old as JsonObject, path), template)) return warnings;
  return [...warnings, ...warnOfPodSpec(object(template.spec), `${path.join(".")}.spec`)];
}

function warnOfName(key: string, name: string): string[] {
  const whose =
    key === "/Pod" ? "the Pod's hostname" : namesPods.has(key) ? "Pod names and hostnames" : undefined;
  if (whose === undefined) return [];
  const errors = isDns1123Label(name);
  if (errors.length === 0) return [];
  return [
    `metadata.name: this is used in ${whose}, which can result in surprising behavior; a DNS label is recommended: [${errors.join(" ")}]`,
  ];
}

function at(value: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce<JsonObject>((part, key) => object(part[key]), value);
}
