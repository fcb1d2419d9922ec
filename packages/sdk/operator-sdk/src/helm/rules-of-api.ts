import type { KindNames } from "../project/kind-names.ts";
import { definitionsRule, kindRules } from "./chart-rules.ts";
import { escalationRules } from "./escalation-rules.ts";
import type { ObtainedChart } from "./obtain-chart.ts";
import type { Rendered } from "./render-chart.ts";
import { pluralsOf } from "./resource-of-kind.ts";
import { formatRules, type Rule } from "./rule.ts";
import { groupIn, templateKinds } from "./template-kinds.ts";

/** The part of config/rbac/helm_role.yaml for one Helm API, and notes for its author. */
export interface RulesOfApi {
  /** Lines of the role's `rules`, and comments. */
  readonly text: string;
  /** Sentences without their full stops. */
  readonly notes: readonly string[];
}

/**
 * Returns the rules for the kind itself and for the objects that its chart renders with default values. Adds
 * rules for objects that it renders with other values as comments.
 */
export function rulesOfApi(names: KindNames, chart: ObtainedChart, rendered: Rendered): RulesOfApi {
  const { fullGroup, version, kind } = names;
  const { objects, others, renderError } = rendered;
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
      "With these rules, the operator can become an administrator: take the # away if it may.",
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
      ...(renderError === undefined ? [] : [unrendered(renderError)]),
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

/** Returns the rules for the objects of the kind itself. */
function rulesOfKind({ fullGroup, plural }: KindNames): Rule[] {
  const apiGroups = [fullGroup];
  return [
    { apiGroups, resources: [plural], verbs: ["get", "list", "patch", "update", "watch"] },
    { apiGroups, resources: [`${plural}/status`], verbs: ["get", "patch", "update"] },
    // This allows the object to be an owner with blockOwnerDeletion.
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
          `with other values the chart also renders ${list}: their rules are comments in config/rbac/helm_role.yaml`,
      ),
      ...noteOn(
        roles,
        (list) =>
          `with other values the chart also renders a ${list}: if yours do, add its permissions to those of the operator by hand`,
      ),
      ...noteOn(
        groupless,
        (list) => `templates contain ${list}, whose group depends on values: add their rules by hand`,
      ),
      ...noteOn(
        found.unclear,
        (list) => `in ${list} the kind is an expression: add the rules for your values by hand`,
      ),
    ],
  };
}

function noteOn(words: readonly string[], note: (list: string) => string): string[] {
  return words.length === 0 ? [] : [note(words.join(", "))];
}

function unrendered(renderError: string): string {
  return `the chart cannot be rendered with its default values, so you must uncomment or add the rules for its objects: ${renderError}`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
