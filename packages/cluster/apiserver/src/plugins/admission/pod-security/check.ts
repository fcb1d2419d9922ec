import type { JsonObject, JsonValue } from "../../../lib/json/json.ts";
import { labels, object, objects, text } from "../../../lib/json/read.ts";

/** The parts of a Pod or a Pod template that checks read. */
export interface PodLike {
  annotations: Readonly<Record<string, string>>;
  spec: JsonObject;
}

/** Returns the parts that checks read. @param pod a Pod or a template */
export function podLike(pod: JsonObject): PodLike {
  return { annotations: labels(object(pod.metadata).annotations), spec: object(pod.spec) };
}

/** Why a check forbids a Pod: `reason (detail)`. */
export interface Violation {
  reason: string;
  detail: string;
}

/** Returns why a Pod is forbidden, or undefined if it is allowed. */
export type CheckPod = (pod: PodLike) => Violation | undefined;

/** policy.Check of k8s.io/pod-security-admission: one rule of a level, which may change between versions. */
export interface Check {
  /** Messages list violations in the order of the IDs. */
  id: string;
  /** By the first minor version that has the rule, oldest first. */
  versions: { from: number; check: CheckPod }[];
  /** For a check of the restricted level: the baseline check that it replaces. */
  overrides?: string;
}

export interface Container {
  name: string;
  /** Empty if the container has none. */
  security: JsonObject;
  container: JsonObject;
}

/** Returns init containers, containers and ephemeral containers. */
export function containersOf({ spec }: PodLike): Container[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    objects(spec[list]).map((container) => ({
      name: text(container.name),
      security: object(container.securityContext),
      container,
    })),
  );
}

export function podSecurityContext({ spec }: PodLike): JsonObject {
  return object(spec.securityContext);
}

export function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

export function plural(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}

export function quoted(items: Iterable<string>): string {
  return [...items].map((item) => `"${item}"`).join(", ");
}

export function sorted(items: Iterable<string>): string[] {
  return [...new Set(items)].sort();
}

/** Returns `container "a"` or `containers "a", "b"`. */
export function named(containers: readonly Container[] | readonly string[]): string {
  const names = containers.map((container) => (typeof container === "string" ? container : container.name));
  return `${plural(names.length, "container", "containers")} ${quoted(names)}`;
}

/** Returns what sets a forbidden value: `pod and container "a"`. */
export function setters(pod: boolean, containers: readonly Container[]): string {
  return [...(pod ? ["pod"] : []), ...(containers.length > 0 ? [named(containers)] : [])].join(" and ");
}

/** Returns whether a Pod has its own user namespace. Root there has no privileges outside of it. */
export function inUserNamespace({ spec }: PodLike): boolean {
  return spec.hostUsers === false;
}

/** Skips a check for Pods on Windows, where validation rejects the Linux fields. */
export function unlessWindows(check: CheckPod): CheckPod {
  return (pod) => (object(pod.spec.os).name === "windows" ? undefined : check(pod));
}
