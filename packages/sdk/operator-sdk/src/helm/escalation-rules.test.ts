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

test("grants the rules of the chart's roles once, which allows the operator to bind these roles", () => {
  const { rules, notes } = escalationRules([
    ...[role("Role", [reading]), role("ClusterRole", [reading]), binding("Role", "reader")],
  ]);
  expect(rules).toEqual([reading]);
  expect(notes).toEqual([
    expect.stringContaining("the chart has the Role reader: the operator gets its permissions"),
    expect.stringContaining("the chart has the ClusterRole reader"),
  ]);
});

test("grants binding the role view by name, and withholds binding other roles", () => {
  const bind = (name: string) => ({
    ...{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["clusterroles"] },
    ...{ resourceNames: [name], verbs: ["bind"] },
  });
  const { rules, withheld, notes } = escalationRules([
    ...[binding("ClusterRole", "view"), binding("ClusterRole", "cluster-admin")],
  ]);
  expect(rules).toEqual([bind("view")]);
  expect(withheld).toEqual([bind("cluster-admin")]);
  expect(notes).toEqual([
    expect.stringContaining("binds the ClusterRole cluster-admin, but the operator may not"),
    expect.stringContaining("binds the ClusterRole view, and the operator may bind this role"),
  ]);
});

test("widens rules that name objects after the release, and leaves roles named after it to the author", () => {
  const about = (name: string) => ({ ...reading, resourceNames: [name] });
  const of = (release: string) => [
    role("Role", [about(release), about("fixed")], { metadata: { name: release } }),
    binding("Role", release),
    binding("ClusterRole", `${release}-elsewhere`),
  ];
  const { rules, withheld, notes } = escalationRules(of("a"), of("b"));
  expect(rules).toEqual([reading, about("fixed")]);
  expect(withheld).toEqual([]);
  expect(notes).toContainEqual(expect.stringContaining("the Role a names objects after the release"));
  expect(notes).toContainEqual(
    expect.stringContaining("binds the ClusterRole a-elsewhere, whose name depends on the release"),
  );
});

test.each<[string, Partial<Rule>]>([
  ["tokens", { resources: ["serviceaccounts/token"], verbs: ["create"] }],
  ["exec", { resources: ["pods/exec"], verbs: ["create"] }],
  ["Secrets", { resources: ["pods", "secrets"], verbs: ["get"] }],
  ["proxies", { resources: ["nodes/proxy"], verbs: ["get"] }],
  ["other roles", { resources: ["rolebindings"], verbs: ["get", "patch"] }],
  ["webhooks", { resources: ["mutatingwebhookconfigurations"], verbs: ["create"] }],
  ["impersonation", { resources: ["users"], verbs: ["impersonate"] }],
])("withholds a rule that allows an escalation: %s", (_name, more) => {
  const rule = { ...reading, ...more };
  const { rules, withheld, notes } = escalationRules([role("Role", [reading, rule])]);
  expect({ rules, withheld }).toEqual({ rules: [reading], withheld: [rule] });
  expect(notes).toContainEqual(expect.stringContaining("its rules are commented out"));
});

test("grants reading roles", () => {
  const rule = { ...reading, resources: ["roles"] };
  expect(escalationRules([role("Role", [rule])])).toMatchObject({ rules: [rule], withheld: [] });
});

test.each([
  ["rules that are not a list", role("Role", "all" as never)],
  ["a rule without verbs", role("Role", [{ ...reading, verbs: null as never }])],
  ["a rule that is a string", role("Role", ["get" as never])],
  ["resources that are not strings", role("Role", [{ ...reading, resources: [7 as never] }])],
])("reports a role that the API server will reject, and grants nothing: %s", (_name, object) => {
  // This binding has no role.
  const bound: object = { ...binding("Role", "x"), roleRef: null };
  const { rules, withheld, notes } = escalationRules([object, bound]);
  expect({ rules, withheld }).toEqual({ rules: [], withheld: [] });
  expect(notes).toEqual([expect.stringContaining("has invalid rules")]);
});

test("handles roles without rules, roles with an aggregationRule, and kinds of other groups", () => {
  expect(escalationRules([role("Role", null), { ...role("Role", [reading]), apiVersion: "x.y/v1" }])).toEqual(
    {
      ...{ rules: [], withheld: [], notes: [] },
    },
  );
  const { rules, notes } = escalationRules([role("ClusterRole", [], { aggregationRule: {} })]);
  expect(rules).toEqual([]);
  expect(notes).toEqual([expect.stringContaining("requires the verb escalate on clusterroles")]);
});

test("grants or withholds every rule, and grants none that allows an escalation", () => {
  const some = (...words: string[]) => fc.array(fc.constantFrom(...words), { maxLength: 3 });
  const anyRule = fc.record(
    {
      verbs: some("*", "get", "create", "bind"),
      apiGroups: some("", "apps", "*"),
      resources: some("pods", "pods/exec", "*/scale", "roles"),
    },
    { requiredKeys: ["verbs"] },
  );
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 6 }), (own) => {
      const { rules, withheld } = escalationRules([role("ClusterRole", own)]);
      const plain = ({ verbs, apiGroups = [], resources = [] }: Rule) =>
        JSON.stringify([verbs, apiGroups, resources]);
      expect(new Set([...rules, ...withheld].map(plain))).toEqual(new Set(own.map(plain)));
      for (const { verbs, apiGroups = [], resources = [] } of rules) {
        expect([verbs, apiGroups, resources].flat().join(" ")).not.toMatch(/\*|bind|exec/);
        expect(resources.includes("roles") && verbs.includes("create")).toBe(false);
      }
    }),
  );
});
