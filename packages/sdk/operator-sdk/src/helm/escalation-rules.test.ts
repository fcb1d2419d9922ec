import fc from "fast-check";
import { expect, test } from "vitest";
import { escalationRules } from "./escalation-rules.ts";
import type { Rule } from "./rule.ts";

const rbac = "rbac.authorization.k8s.io/v1";
const role = (kind: string, rules: readonly Rule[] | null, more = {}) => ({
  ...{ apiVersion: rbac, kind, metadata: { name: "reader" }, rules },
  ...more,
});
const binding = (kind: string, name: string) => ({
  ...{ apiVersion: rbac, kind: "RoleBinding", metadata: { name: "b" } },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
});
const reading: Rule = { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] };

test("what a role of the chart allows is held, once, and the role may be bound by that", () => {
  const { rules, notes } = escalationRules([
    ...[role("Role", [reading]), role("ClusterRole", [reading]), binding("Role", "reader")],
  ]);
  expect(rules).toEqual([reading]);
  expect(notes).toEqual([
    expect.stringContaining("the chart has the Role reader: the operator is given what it allows"),
    expect.stringContaining("the chart has the ClusterRole reader"),
  ]);
});

test("a role of somebody else's may be bound, by its name", () => {
  const { rules, notes } = escalationRules([binding("ClusterRole", "view"), binding("ClusterRole", "edit")]);
  expect(rules).toEqual([
    {
      ...{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterroles"] },
      ...{ resourceNames: ["edit", "view"], verbs: ["bind"] },
    },
  ]);
  expect(notes).toEqual([
    expect.stringContaining("binds edit, view (clusterroles), which the operator may bind, by name"),
  ]);
});

test("roles without rules, with an aggregationRule, and kinds of others' groups", () => {
  expect(escalationRules([role("Role", null), { ...role("Role", [reading]), apiVersion: "x.y/v1" }])).toEqual(
    {
      ...{ rules: [], notes: [] },
    },
  );
  const { rules, notes } = escalationRules([role("ClusterRole", [], { aggregationRule: {} })]);
  expect(rules).toEqual([]);
  expect(notes).toEqual([expect.stringContaining("takes the verb escalate on clusterroles")]);
});

test("whatever a chart's roles allow, the operator holds all of it but what would make it an administrator, which is told", () => {
  const words = fc.constantFrom(
    "*",
    "",
    "apps",
    "pods",
    "pods/exec",
    "*/scale",
    "get",
    "escalate",
    "create",
    "/metrics",
    "/*",
  );
  const list = fc.array(words, { maxLength: 3 });
  const anyRule = fc.record(
    { verbs: list, apiGroups: list, resources: list, nonResourceURLs: list, resourceNames: list },
    { requiredKeys: ["verbs"] },
  );
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 6 }), (own) => {
      const { rules, notes } = escalationRules([role("ClusterRole", own)]);
      // A name is a name: only what rules are about may mean everything.
      const isWide = ({ verbs, apiGroups = [], resources = [], nonResourceURLs = [] }: Rule) =>
        verbs.includes("escalate") ||
        [verbs, apiGroups, resources, nonResourceURLs].flat().some((word) => word.includes("*"));
      for (const rule of own) {
        if (isWide(rule)) expect(rules).not.toContainEqual(rule);
        else expect(rules).toContainEqual(rule);
      }
      expect(rules.filter(isWide)).toEqual([]);
      expect(notes.some((note) => note.includes('allows "*"'))).toBe(own.some(isWide));
    }),
  );
});
