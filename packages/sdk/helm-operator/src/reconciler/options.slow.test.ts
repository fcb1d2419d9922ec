import { clusterRoles, configMaps } from "@operator-path/client";
import { expect, test } from "vitest";
import { pausedByAnnotation } from "./annotations.ts";
import {
  conditionsOf,
  longTimeout,
  namespace,
  patiently,
  startHelmBench,
  type Web,
} from "./testing/bench.ts";
import { webChart } from "./testing/charts.ts";

test(
  "leaves a paused object alone until it is resumed, even when it is deleted",
  async () => {
    const bench = await startHelmBench();
    const { processes } = await bench.operator({ isPaused: pausedByAnnotation("example.com/paused") });
    const annotations = { "example.com/paused": "true" };
    await bench.create("shop", {}, { annotations });
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toEqual(["Paused=True"]));
    expect((await bench.get("shop")).metadata?.finalizers).toBeUndefined();

    await bench.annotate("shop", { "example.com/paused": null });
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop"))).toEqual(
        expect.arrayContaining(["Paused=False", "Deployed=True"]),
      ),
    );
    await bench.annotate("shop", annotations);
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Paused=True"));
    await bench.scale("shop", 5);
    await bench.remove("shop");
    await bench.create("other");
    await patiently(async () => expect(conditionsOf(await bench.get("other"))).toContain("Deployed=True"));
    expect((await bench.deployment("shop")).spec?.replicas).toBe(5);
    expect(processes).toEqual(["version", "dry run", "install", "dry run", "install"]);

    await bench.annotate("shop", { "example.com/paused": null });
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    await expect(bench.deployment("shop")).rejects.toThrow("not found");
  },
  longTimeout,
);

test(
  "a selector filters objects, and not the Secrets of their releases",
  async () => {
    const bench = await startHelmBench();
    const { processes } = await bench.operator({ selector: { matchLabels: { tier: "gold" } } });
    await bench.create("lead");
    await bench.create("shop", {}, { labels: { tier: "gold" } });
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    await bench.byHand("uninstall", "shop");
    await patiently(async () =>
      expect(await bench.history("shop")).toMatchObject([{ revision: 1, status: "deployed" }]),
    );
    await patiently(() => expect(processes).toEqual(["version", "dry run", "install", "dry run", "install"]));
    expect((await bench.get("lead")).status).toBeUndefined();
    expect((await bench.get("lead")).metadata?.finalizers).toBeUndefined();
  },
  longTimeout,
);

test(
  "translates, overrides and maps values, and reports overrides",
  async () => {
    const bench = await startHelmBench();
    await bench.operator({
      overrideValues: { "deep.list[0].name": "first", colour: "green" },
      valueTranslator: async (web: Web) => ({ replicas: Number(web.spec?.size), colour: "red" }),
      valueMapper: (values) => ({ ...values, replicas: Number(values.replicas) * 2 }),
    });
    await bench.create("shop", { size: 2 });
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    const [release] = await bench.history("shop");
    expect(release?.values).toEqual({ replicas: 4, colour: "green", deep: { list: [{ name: "first" }] } });
    await patiently(async () =>
      expect((await bench.events("shop")).join("\n")).toContain(
        'Chart value "colour" is overridden by the operator',
      ),
    );
    // It may have come from a Secret, through the environment.
    expect((await bench.events("shop")).join("\n")).not.toContain("green");
  },
  longTimeout,
);

test(
  "finds cluster-scoped and kept objects by their annotations, and repairs them",
  async () => {
    const bench = await startHelmBench();
    const files = {
      ...webChart,
      "templates/role.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .Release.Name }}
rules:
  - apiGroups: [""]
    resources: [pods]
    verbs: [get]
`,
      "templates/kept.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-kept
  annotations:
    helm.sh/resource-policy: keep
data:
  colour: red
`,
    };
    const { processes } = await bench.operator({ files });
    const roles = bench.cluster.client.resource(clusterRoles);
    const maps = bench.cluster.client.resource(configMaps).namespace(namespace);
    await bench.create("shop");
    const annotations = {
      "operator-sdk/primary-resource": "default/shop",
      "operator-sdk/primary-resource-type": "Web.example.com",
    };
    await patiently(async () => expect((await roles.get("shop")).metadata).toMatchObject({ annotations }));
    await patiently(async () =>
      expect((await maps.get("shop-kept")).metadata).toMatchObject({ annotations }),
    );
    await maps.patch("shop-kept", { data: { colour: "blue" } }, { type: "merge" });
    await roles.delete("shop");
    await patiently(async () => expect((await maps.get("shop-kept")).data).toEqual({ colour: "red" }));
    await patiently(async () => expect((await roles.get("shop")).rules).toHaveLength(1));
    expect(processes).toEqual(["version", "dry run", "install"]);

    await bench.remove("shop");
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    await expect(roles.get("shop")).rejects.toThrow("not found");
    expect((await maps.get("shop-kept")).data).toEqual({ colour: "red" });
  },
  longTimeout,
);
