import { parseManifest } from "@operator-path/helm-operator";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { kindNames } from "../project/kind-names.ts";
import type { ObtainedChart } from "./obtain-chart.ts";
import type { Rule } from "./rule.ts";
import { rulesOfApi } from "./rules-of-api.ts";

const names = kindNames({ domain: "my.domain" }, { group: "cache", version: "v1alpha1", kind: "Memcached" });

/** Returns the rules for the objects of a chart, without those for the kind itself. */
function rulesFor(manifest: string, { crds = false, files = {} }: { crds?: boolean; files?: object } = {}) {
  const allFiles = Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(String(text)) }));
  const chart: ObtainedChart = { name: "c", path: "/c", values: {}, crds, files: allFiles, allFiles };
  const { text, notes } = rulesOfApi(names, chart, {
    objects: parseManifest(manifest),
    others: parseManifest(manifest),
  });
  return { rules: (parse(text) as Rule[]).slice(3), notes, text };
}

const all = ["create", "delete", "get", "list", "patch", "update", "watch"];
const meta = "metadata: { name: a }";

test("has rules for the objects of the kind, their status and their finalizers", () => {
  const { text } = rulesFor("");
  expect(text).toMatch(/^## Rules for cache\.my\.domain\/v1alpha1, Kind: Memcached\n/);
  expect(parse(text)).toEqual([
    {
      apiGroups: ["cache.my.domain"],
      resources: ["memcacheds"],
      verbs: ["get", "list", "patch", "update", "watch"],
    },
    {
      apiGroups: ["cache.my.domain"],
      resources: ["memcacheds/status"],
      verbs: ["get", "patch", "update"],
    },
    { apiGroups: ["cache.my.domain"], resources: ["memcacheds/finalizers"], verbs: ["update"] },
  ]);
});

test("has a rule for each group, sorted, including hooks and the items of a List", () => {
  const { rules, notes } = rulesFor(`
apiVersion: apps/v1
kind: StatefulSet
${meta}
---
apiVersion: batch/v1
kind: Job
metadata: { name: a, annotations: { helm.sh/hook: pre-install } }
---
apiVersion: v1
kind: List
items:
- { apiVersion: v1, kind: Service, ${meta} }
- { apiVersion: v1, kind: Endpoints, ${meta} }
- { apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, ${meta} }
`);
  expect(rules).toEqual([
    { apiGroups: [""], resources: ["endpoints", "services"], verbs: all },
    { apiGroups: ["apps"], resources: ["statefulsets"], verbs: all },
    { apiGroups: ["batch"], resources: ["jobs"], verbs: all },
    { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: all },
  ]);
  expect(notes).toEqual([]);
});

describe("kinds that are not built-in", () => {
  const manifest = `apiVersion: example.com/v1\nkind: Gadget\n${meta}\n`;

  test("get a guessed plural and a note", () => {
    const { rules, notes } = rulesFor(manifest);
    expect(rules).toEqual([{ apiGroups: ["example.com"], resources: ["gadgets"], verbs: all }]);
    expect(notes).toEqual([expect.stringContaining("Gadget (example.com) is not a built-in kind")]);
  });

  test("get the plural of a CRD in the chart, which helm may install but not delete", () => {
    const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgetry.example.com }
spec: { group: example.com, names: { kind: Gadget, plural: gadgetry } }
`;
    const { rules, notes } = rulesFor(manifest, { crds: true, files: { "crds/gadgetry.yaml": definition } });
    expect(rules).toEqual([
      { apiGroups: ["example.com"], resources: ["gadgetry"], verbs: all },
      {
        apiGroups: ["apiextensions.k8s.io"],
        resources: ["customresourcedefinitions"],
        verbs: ["create", "get", "list", "patch", "watch"],
      },
    ]);
    expect(notes).toEqual([]);
  });
});

test("comments out kinds that the default values do not render, and omits the hooks of `helm test`", () => {
  const { rules, notes, text } = rulesFor("", {
    files: {
      "templates/hpa.yaml":
        "{{- if .x }}\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n{{- end }}\n",
      "templates/ingress.yaml": 'apiVersion: {{ include "v" . }}\nkind: Ingress\n',
      "charts/sub/templates/x.yaml": "kind: Widget\napiVersion: {{ .Values.v }}\n",
      "templates/test.yaml":
        'apiVersion: v1\nkind: Pod\nmetadata:\n  annotations:\n    "helm.sh/hook": test\n',
      "templates/_helpers.tpl": '{{ define "job" }}\napiVersion: batch/v1\nkind: Job # one\n{{ end }}\n',
      "templates/list.yaml":
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: PersistentVolumeClaim\n--- # two\napiVersion: policy/v1\nkind: PodDisruptionBudget\nspec: { x: { kind: Nothing } }\n",
      "templates/any.yaml": "apiVersion: apps/v1\nkind: {{ .Values.kind }}\n",
      "templates/role.yaml": "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n",
    },
  });
  expect(rules).toEqual([]);
  expect(text).toContain(
    "## With other values the chart renders these, too: take the # away where yours do.\n# - apiGroups:\n",
  );
  expect(text).toContain(
    "# - apiGroups:\n#   - autoscaling\n#   resources:\n#   - horizontalpodautoscalers\n",
  );
  expect(text).toContain("#   - ingresses\n");
  expect(text).toContain("# - apiGroups:\n#   - batch\n#   resources:\n#   - jobs\n");
  expect(text).toContain("#   - persistentvolumeclaims\n");
  expect(text).toContain("# - apiGroups:\n#   - policy\n#   resources:\n#   - poddisruptionbudgets\n");
  expect(text).not.toMatch(/ pods|nothing/);
  expect(notes).toEqual([
    expect.stringContaining(
      "HorizontalPodAutoscaler, Ingress, Job, PersistentVolumeClaim, PodDisruptionBudget, Role: their rules are comments",
    ),
    expect.stringContaining("with other values the chart also renders a Role: if yours do"),
    expect.stringContaining("templates contain Widget, whose group depends on values"),
    expect.stringContaining("in templates/any.yaml the kind is an expression"),
  ]);
});
