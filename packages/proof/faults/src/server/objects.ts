import type { KubeObject } from "@operator-path/client";

/** An object as JSON. */
export type SimulatedObject = KubeObject & { [field: string]: unknown };

/** Applies a JSON merge patch (RFC 7386) to a copy. */
export function mergePatch<T>(target: T, patch: unknown): T {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch as T;
  const merged: Record<string, unknown> =
    target !== null && typeof target === "object" && !Array.isArray(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged as T;
}

export function nameOf(object: KubeObject): { namespace: string; name: string } {
  return { namespace: object.metadata?.namespace ?? "", name: object.metadata?.name ?? "" };
}

/** The same as `keyOf` of informers. Written again, because a judge shares no code with what it judges. */
export function keyFor(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** Whether two objects have the same content, in any order of their fields. */
export function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T;
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)])) as T;
}
