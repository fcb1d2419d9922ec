import type { ManifestObject } from "@operator-path/helm-operator";
import type { Rule } from "./rule.ts";

type KubeObject = ManifestObject["object"];

/** A Role or ClusterRole that a chart renders. */
export interface ChartRole {
  readonly kind: string;
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Whether there are rules that are none: the API server refuses them. */
  readonly damaged: boolean;
  readonly aggregates: boolean;
}

/** What a RoleBinding or ClusterRoleBinding of a chart binds. */
export interface ChartBinding {
  readonly kind: string;
  readonly name: string;
}

/** The roles and bindings among what a chart renders, whatever its templates made of their fields. */
export function rolesOfChart(objects: readonly KubeObject[]): {
  roles: ChartRole[];
  bindings: ChartBinding[];
} {
  const inRbac = objects.filter(({ apiVersion }) => apiVersion?.startsWith("rbac.authorization.k8s.io/"));
  const roles = inRbac.filter(({ kind }) => kind === "Role" || kind === "ClusterRole");
  const bindings = inRbac.filter(({ kind }) => kind === "RoleBinding" || kind === "ClusterRoleBinding");
  return { roles: roles.map(asRole), bindings: bindings.flatMap(asBinding) };
}

function asRole(object: KubeObject): ChartRole {
  const { rules, aggregationRule } = object as { rules?: unknown; aggregationRule?: unknown };
  const given = Array.isArray(rules) ? rules : [];
  const read = given.flatMap((rule) => asRule(rule) ?? []);
  return {
    kind: object.kind ?? "",
    name: object.metadata?.name ?? "",
    rules: read,
    damaged: read.length < given.length || !(rules === undefined || rules === null || Array.isArray(rules)),
    aggregates: aggregationRule !== undefined && aggregationRule !== null,
  };
}

/** In the order that roles are written in, and nothing else of it; undefined for what is no rule. */
function asRule(value: unknown): Rule | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = value as Record<string, unknown>;
  if (!isTexts(given.verbs)) return undefined;
  const rule: Record<string, readonly string[]> = {};
  for (const key of ["apiGroups", "resources", "resourceNames", "nonResourceURLs"]) {
    const list = given[key] ?? [];
    if (!isTexts(list)) return undefined;
    if (list.length > 0) rule[key] = list;
  }
  return { ...rule, verbs: given.verbs };
}

function asBinding(object: KubeObject): ChartBinding[] {
  const { roleRef } = object as { roleRef?: unknown };
  const { kind, name } = (roleRef ?? {}) as Record<string, unknown>;
  return typeof kind === "string" && typeof name === "string" ? [{ kind, name }] : [];
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
