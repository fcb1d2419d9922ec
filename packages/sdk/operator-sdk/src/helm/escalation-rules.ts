import type { ManifestObject } from "@operator-path/helm-operator";
import { type ChartRole, rolesOfChart } from "./roles-of-chart.ts";
import { allowsEscalation, type Rule } from "./rule.ts";

type KubeObject = ManifestObject["object"];

/** The permissions that the roles and bindings of a chart require. */
export interface EscalationRules {
  readonly rules: readonly Rule[];
  /** Rules that the operator does not get by default. The author must decide about them. */
  readonly withheld: readonly Rule[];
  /** Sentences without their full stops. */
  readonly notes: readonly string[];
}

/** Roles that the operator may always bind, because they allow no escalation. */
const harmless = new Set(["ClusterRole view"]);

/**
 * Returns the permissions to create the roles and bindings of a chart.
 *
 * To create or bind a role, an account must hold all permissions in it. Otherwise the API server rejects the
 * request as an escalation. So the operator gets the rules of the roles in the chart. It does not get the
 * verbs `escalate` and `bind`, with which it could give itself any permission. Rules that allow more than
 * they name (tokens, `exec`, Secrets, roles, "*") are withheld. Binding other roles is withheld as well,
 * except for `view`. The operator has its permissions in all namespaces, so any of these would make it an
 * administrator.
 *
 * @param objects the objects that the chart renders for one release
 * @param others the objects for a release with another name and namespace; a name that differs depends on the
 * release
 */
export function escalationRules(
  objects: readonly KubeObject[],
  others: readonly KubeObject[] = objects,
): EscalationRules {
  const { roles, bindings } = rolesOfChart(objects);
  const again = rolesOfChart(others);
  const rules: Rule[] = [];
  const withheld: Rule[] = [];
  const notes: string[] = [];
  for (const [index, role] of roles.entries()) {
    const { granted, denied, usesReleaseName } = split(role, again.roles[index]);
    rules.push(...granted);
    withheld.push(...denied);
    notes.push(...notesOn(role, { granted, denied, usesReleaseName }));
  }
  const own = (all: readonly ChartRole[]) => new Set(all.map(({ kind, name }) => `${kind} ${name}`));
  const [known, knownAgain] = [own(roles), own(again.roles)];
  const foreign = new Set(
    bindings.map(({ kind, name }) => `${kind} ${name}`).filter((one) => !known.has(one)),
  );
  const foreignAgain = again.bindings.map(({ kind, name }) => `${kind} ${name}`);
  for (const each of [...foreign].sort()) {
    const [kind = "", name = ""] = each.split(" ");
    if (!foreignAgain.includes(each) || knownAgain.has(each)) {
      notes.push(
        `the chart binds the ${each}, whose name depends on the release: add the permissions of that role by hand`,
      );
      continue;
    }
    const rule = bindRule(kind, name);
    (harmless.has(each) ? rules : withheld).push(rule);
    notes.push(
      harmless.has(each)
        ? `the chart binds the ${each}, and the operator may bind this role`
        : `the chart binds the ${each}, but the operator may not, because it could bind that role to itself: uncomment its rule, or give the operator the permissions of that role`,
    );
  }
  return { rules: distinct(rules), withheld: distinct(withheld), notes };
}

interface Split {
  readonly granted: readonly Rule[];
  readonly denied: readonly Rule[];
  /** Whether a rule names objects after the release. */
  readonly usesReleaseName: boolean;
}

function split({ rules }: ChartRole, again: ChartRole | undefined): Split {
  let usesReleaseName = false;
  const wide = rules.map((rule, index) => {
    const other = again?.rules[index];
    if (!rule.resourceNames || JSON.stringify(rule) === JSON.stringify(other)) return rule;
    usesReleaseName = true;
    const { resourceNames: _, ...rest } = rule;
    return rest;
  });
  return {
    granted: wide.filter((rule) => !allowsEscalation(rule)),
    denied: wide.filter(allowsEscalation),
    usesReleaseName,
  };
}

function notesOn(
  { kind, name, damaged, aggregates }: ChartRole,
  { granted, denied, usesReleaseName }: Split,
): string[] {
  const role = `the ${kind} ${name}`;
  return [
    ...(granted.length > 0
      ? [
          `the chart has ${role}: the operator gets its permissions, because the API server only lets an account grant permissions that it holds`,
        ]
      : []),
    ...(usesReleaseName
      ? [`${role} names objects after the release: the operator gets the permissions for all names`]
      : []),
    ...(denied.length > 0
      ? [
          `${role} allows access to other permissions (tokens, exec, Secrets, roles, "*"), which the operator does not get: its rules are commented out, and without them the API server rejects the role`,
        ]
      : []),
    ...(aggregates
      ? [
          `${role} has an aggregationRule, which requires the verb escalate on clusterroles: add it by hand if the operator may be an administrator`,
        ]
      : []),
    ...(damaged ? [`${role} has invalid rules, which the API server will reject: fix the chart`] : []),
  ];
}

function bindRule(kind: string, name: string): Rule {
  return {
    ...{ apiGroups: ["rbac.authorization.k8s.io"], resources: [`${kind.toLowerCase()}s`] },
    ...{ resourceNames: [name], verbs: ["bind"] },
  };
}

function distinct(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
