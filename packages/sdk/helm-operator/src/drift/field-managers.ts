import type { KubeObject } from "@operator-path/client";
import { isJsonObject } from "../json.ts";
import { pathTo } from "./differences.ts";

/**
 * Returns the field managers, without those in `except`, that have set one of the fields of an object
 * (`spec.replicas`, `spec.containers[name="web"].image`) or a part of one. A removed field has no manager.
 */
export function fieldManagersOf(
  { metadata }: KubeObject,
  paths: readonly string[],
  except: readonly string[],
): string[] {
  const others = (metadata?.managedFields ?? []).filter(
    ({ manager = "", fieldsV1 }) =>
      manager !== "" &&
      !except.includes(manager) &&
      leavesOf(fieldsV1).some((leaf) => paths.some((path) => isWithin(leaf, path) || isWithin(path, leaf))),
  );
  return [...new Set(others.map(({ manager = "" }) => manager))].sort();
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** Returns the paths of the leaves of a field set: values, and fields that are replaced as a whole. */
function leavesOf(fields: unknown, path = ""): string[] {
  if (!isJsonObject(fields)) return [];
  const inner = Object.entries(fields).filter(([name]) => name !== ".");
  if (inner.length === 0) return path === "" ? [] : [path];
  return inner.flatMap(([name, value]) => leavesOf(value, stepFrom(path, name)));
}

/** `f:` is a field, `k:` an item of a list by its keys, `v:` one of a set. */
function stepFrom(path: string, step: string): string {
  const [kind, text] = [step.slice(0, 2), step.slice(2)];
  if (kind === "f:") return pathTo(path, text);
  if (kind !== "k:") return `${path}[${text}]`;
  const keys = Object.entries(JSON.parse(text) as Record<string, unknown>);
  return `${path}[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
}
