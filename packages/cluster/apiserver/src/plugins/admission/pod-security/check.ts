import type { JsonObject, JsonValue } from "../../../lib/json/json.ts";
import { labels, object, objects, text } from "../../../lib/json/read.ts";

/** What a check reads: a Pod, or the template of one. */
export interface PodLike {
  annotations: Readonly<Record<string, string>>;
  spec: JsonObject;
}

/** @param pod a Pod or a template */
export function podLike(pod: JsonObject): PodLike {
  return { annotations: labels(object(pod.metadata).annotations), spec: object(pod.spec) };
}

/** Why a check forbids a Pod: `reason (detail)`. */
export interface Violation {
  reason: string;
  detail: string;
}

/** undefined: the Pod may pass. */
export type CheckPod = (pod: PodLike) => Violation | undefined;

/** policy.Check of k8s.io/pod-security-admission: one rule of a level, which may differ from version to version. */
export interface Check {
  /** Messages list what is wrong in the order of these. */
  id: string;
  /** By the minor version that they hold from, oldest first. */
  versions: { from: number; check: CheckPod }[];
  /** Of the restricted level: the baseline check that it takes the place of. */
  overrides?: string;
}

export interface Container {
  name: string;
  /** Empty where there is none. */
  security: JsonObject;
  container: JsonObject;
}

/** Init containers, containers, ephemeral containers. */
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

/** `container "a"`, `containers "a", "b"` */
export function named(containers: readonly Container[] | readonly string[]): string {
  const names = containers.map((container) => (typeof container === "string" ? container : container.name));
  return `${plural(names.length, "container", "containers")} ${quoted(names)}`;
}

/** `pod and container "a"`: who set what is forbidden. */
export function setters(pod: boolean, containers: readonly Container[]): string {
  return [...(pod ? ["pod"] : []), ...(containers.length > 0 ? [named(containers)] : [])].join(" and ");
}

/** In a user namespace, root is nobody outside of it. */
export function inUserNamespace({ spec }: PodLike): boolean {
  return spec.hostUsers === false;
}

/** Windows has other means: validation refuses the Linux fields there. */
export function unlessWindows(check: CheckPod): CheckPod {
  return (pod) => (object(pod.spec.os).name === "windows" ? undefined : check(pod));
}
