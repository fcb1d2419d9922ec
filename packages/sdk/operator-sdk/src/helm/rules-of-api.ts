import type { KindNames } from "../project/kind-names.ts";
import { chartRules } from "./chart-rules.ts";
import type { ObtainedChart } from "./obtain-chart.ts";
import type { Rendered } from "./render-chart.ts";
import { formatRules, type Rule } from "./rule.ts";

/** What config/rbac/helm_role.yaml says of one Helm API, and what is to be told about it. */
export function rulesOfApi(
  { fullGroup, plural, version, kind }: KindNames,
  { crds }: ObtainedChart,
  { objects, refusal }: Rendered,
): { rules: string; notes: readonly string[] } {
  const own: Rule[] = [
    { apiGroups: [fullGroup], resources: [plural], verbs: ["get", "list", "patch", "update", "watch"] },
    { apiGroups: [fullGroup], resources: [`${plural}/status`], verbs: ["get", "patch", "update"] },
    { apiGroups: [fullGroup], resources: [`${plural}/finalizers`], verbs: ["update"] },
  ];
  const chart = chartRules(objects, { crds, plurals: new Map() });
  const unrendered =
    refusal === undefined
      ? []
      : [
          `the chart cannot be rendered with its default values, so the rules for what it installs are yours to add: ${refusal}`,
        ];
  return {
    rules: `## Rules for ${fullGroup}/${version}, Kind: ${kind}\n${formatRules([...own, ...chart.rules])}`,
    notes: [...unrendered, ...chart.notes],
  };
}
