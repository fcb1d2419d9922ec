import type { ManifestObject } from "@operator-path/helm-operator";
import type { Rule } from "./rule.ts";

type KubeObject = ManifestObject["object"];

/** A Role or ClusterRole that a chart renders. */
export interface ChartRole {
  readonly kind: string;
  readonly name: string;
  readonly rules: readonly Rule[];
  /** Whether it has invalid rules, which the API server rejects. */
  readonly damaged: boolean;
  readonly aggregates: boolean;
}

/** The role that a RoleBinding or ClusterRoleBinding of a chart binds. */
export interface ChartBinding {
  readonly kind: string;
  readonly name: string;
}

/** Returns the roles and bindings among the rendered objects of a chart. Tolerates invalid fields. */
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

/** Returns a rule with only the known fields, in the usual order, or undefined for an invalid rule. */
function asRule(value: unknown): Rule | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = value as Record<string, unknown>;
  if (!isStringList(given.verbs)) return undefined;
  const rule: Record<string, readonly string[]> = {};
  for (const key of ["apiGroups", "resources", "resourceNames", "nonResourceURLs"]) {
    const list = given[key] ?? [];
    if (!isStringList(list)) return undefined;
    if (list.length > 0) rule[key] = list;
  }
  return { ...rule, verbs: given.verbs };
}

function asBinding(object: KubeObject): ChartBinding[] {
  const { roleRef } = object as { roleRef?: unknown };
  const { kind, name } = (roleRef ?? {}) as Record<string, unknown>;
  return typeof kind === "string" && typeof name === "string" ? [{ kind, name }] : [];
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
