import type { KindNames } from "../project/kind-names.ts";
import { definitionsRule, kindRules } from "./chart-rules.ts";
import { pluralsOf } from "./definitions.ts";
import { escalationRules } from "./escalation-rules.ts";
import type { ObtainedChart } from "./obtain-chart.ts";
import type { Rendered } from "./render-chart.ts";
import { formatRules, type Rule } from "./rule.ts";
import { groupIn, templateKinds } from "./template-kinds.ts";

/** What config/rbac/helm_role.yaml says of one Helm API, and what is to be told about it. */
export interface RulesOfApi {
  /** Lines of the role's `rules`, and comments. */
  readonly text: string;
  /** A sentence each, without its full stop. */
  readonly notes: readonly string[];
}

/**
 * Rules for the kind itself, for what its chart renders with its default values, and, commented out, for what it renders with
 * others.
 */
export function rulesOfApi(names: KindNames, chart: ObtainedChart, rendered: Rendered): RulesOfApi {
  const { fullGroup, version, kind } = names;
  const { objects, others, refusal } = rendered;
  const plurals = pluralsOf(chart.allFiles, objects);
  const kinds = [...objects, ...others].map(({ object: { apiVersion = "", kind = "" } }) => ({
    group: groupIn(apiVersion),
    kind,
  }));
  const certain = kindRules(kinds, plurals);
  const escalation = escalationRules(
    objects.map(({ object }) => object),
    others.map(({ object }) => object),
  );
  const rules = [
    ...rulesOfKind(names),
    ...certain.rules,
    ...(chart.crds ? [definitionsRule] : []),
    ...escalation.rules,
  ];
  const elsewhere = otherKinds(chart, kinds);
  const possible = kindRules(elsewhere.named, plurals);
  const text = [
    `## Rules for ${fullGroup}/${version}, Kind: ${kind}`,
    formatRules(rules).trimEnd(),
    ...escalation.notes.map((note) => `## ${sentence(note)}`),
    ...commentedOut(
      "Who holds these may become an administrator: take the # away if the operator may.",
      escalation.withheld,
    ),
    ...commentedOut(
      "With other values the chart renders these, too: take the # away where yours do.",
      possible.rules,
    ),
  ];
  return {
    text: `${text.join("\n")}\n`,
    notes: [
      ...(refusal === undefined ? [] : [unrendered(refusal)]),
      ...certain.notes,
      ...escalation.notes,
      ...possible.notes,
      ...elsewhere.notes,
    ],
  };
}

function commentedOut(head: string, rules: readonly Rule[]): string[] {
  return rules.length === 0 ? [] : [`## ${head}`, formatRules(rules).trimEnd().replace(/^/gm, "# ")];
}

/** The objects themselves. */
function rulesOfKind({ fullGroup, plural }: KindNames): Rule[] {
  const apiGroups = [fullGroup];
  return [
    { apiGroups, resources: [plural], verbs: ["get", "list", "patch", "update", "watch"] },
    { apiGroups, resources: [`${plural}/status`], verbs: ["get", "patch", "update"] },
    // To be an owner whose deletion waits for what it owns.
    { apiGroups, resources: [`${plural}/finalizers`], verbs: ["update"] },
  ];
}

type Kind = { readonly group: string; readonly kind: string };

function otherKinds({ allFiles }: ObtainedChart, kinds: readonly Kind[]): { named: Kind[]; notes: string[] } {
  const rendered = new Set(kinds.map(({ group, kind }) => `${group}/${kind}`));
  const found = templateKinds(allFiles);
  const others = found.kinds.filter(({ group, kind }) => !rendered.has(`${group}/${kind}`));
  const named = others.filter((one): one is Kind => one.group !== undefined);
  const groupless = others.filter(({ group }) => group === undefined).map(({ kind }) => kind);
  const roles = others.filter(({ kind }) => /^(Cluster)?Role(Binding)?$/.test(kind)).map(({ kind }) => kind);
  return {
    named,
    notes: [
      ...noteOn(
        named.map(({ kind }) => kind),
        (list) =>
          `with other values the chart renders ${list}, too: their rules are in config/rbac/helm_role.yaml, commented out`,
      ),
      ...noteOn(
        roles,
        (list) =>
          `what a ${list} of other values allows, the operator has to hold, too: add it by hand where yours render it`,
      ),
      ...noteOn(
        groupless,
        (list) => `templates name ${list}, of a group that only values say: add their rules by hand`,
      ),
      ...noteOn(
        found.unclear,
        (list) => `in ${list} an expression says the kind: add rules by hand for what your values make of it`,
      ),
    ],
  };
}

function noteOn(words: readonly string[], say: (list: string) => string): string[] {
  return words.length === 0 ? [] : [say(words.join(", "))];
}

function unrendered(refusal: string): string {
  return `the chart cannot be rendered with its default values, so the rules for what it installs are commented out, or yours to add: ${refusal}`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
