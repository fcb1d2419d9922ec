import type { ManifestObject } from "@operator-path/helm-operator";
import { isPower } from "./powers.ts";
import { type ChartRole, rolesOfChart } from "./roles-of-chart.ts";
import type { Rule } from "./rule.ts";

type KubeObject = ManifestObject["object"];

/** What the roles and bindings of a chart ask for. */
export interface EscalationRules {
  readonly rules: readonly Rule[];
  /** Those that the operator is not given: a person decides. */
  readonly withheld: readonly Rule[];
  /** A sentence each, without its full stop. */
  readonly notes: readonly string[];
}

/** What everybody may be given to see: its binding leads nowhere. */
const harmless = new Set(["ClusterRole view"]);

/**
 * Who writes a role has to hold all that it allows, and so has who binds it: the API server refuses an escalation. So the
 * operator gets the rules of the roles in the chart, and not the verbs `escalate` and `bind`, which would let it become
 * anything. Rules that lead to more than they say (tokens, `exec`, Secrets, roles, "*") are withheld, and so is the binding of
 * roles of others, but for `view`: the operator has its rights in all namespaces, and would be an administrator.
 *
 * @param objects what the chart renders for one release
 * @param others the same for another one, of another name in another namespace: names that differ are the release's
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
    const { held, kept, named } = split(role, again.roles[index]);
    rules.push(...held);
    withheld.push(...kept);
    notes.push(...notesOn(role, { held, kept, named }));
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
        `the chart binds the ${each}, of a name that is the release's: what it allows is to be held by the operator: add it by hand`,
      );
      continue;
    }
    const rule = bindRule(kind, name);
    (harmless.has(each) ? rules : withheld).push(rule);
    notes.push(
      harmless.has(each)
        ? `the chart binds the ${each}, which the operator may do, by name`
        : `the chart binds the ${each}, which the operator is not given, since it could bind it to itself: its rule is commented out; or let the operator hold what that allows`,
    );
  }
  return { rules: distinct(rules), withheld: distinct(withheld), notes };
}

interface Split {
  readonly held: readonly Rule[];
  readonly kept: readonly Rule[];
  /** Whether rules named objects after the release. */
  readonly named: boolean;
}

function split({ rules }: ChartRole, again: ChartRole | undefined): Split {
  let named = false;
  const wide = rules.map((rule, index) => {
    const other = again?.rules[index];
    if (!rule.resourceNames || JSON.stringify(rule) === JSON.stringify(other)) return rule;
    named = true;
    const { resourceNames: _, ...rest } = rule;
    return rest;
  });
  return { held: wide.filter((rule) => !isPower(rule)), kept: wide.filter(isPower), named };
}

function notesOn({ kind, name, damaged, aggregates }: ChartRole, { held, kept, named }: Split): string[] {
  const role = `the ${kind} ${name}`;
  return [
    ...(held.length > 0
      ? [
          `the chart has ${role}: the operator is given what it allows, since the API server lets nobody grant what they do not hold`,
        ]
      : []),
    ...(named
      ? [`${role} names objects after the release: the operator is given them whatever their names are`]
      : []),
    ...(kept.length > 0
      ? [
          `${role} allows what leads to other rights (tokens, exec, Secrets, roles, "*"), which the operator is not given: its rules are commented out, and without them the API server refuses the role`,
        ]
      : []),
    ...(aggregates
      ? [
          `${role} has an aggregationRule, which takes the verb escalate on clusterroles: add it by hand if the operator may be an administrator`,
        ]
      : []),
    ...(damaged ? [`${role} has rules that are none, which the API server will refuse: mend the chart`] : []),
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
