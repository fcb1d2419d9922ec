import { clusterRoles, configMaps } from "@operator-path/client";
import { expect, test } from "vitest";
import { recovery } from "../release/recovery.ts";
import { releaseState } from "../release/release-state.ts";
import { revision } from "../release/testing/revision.ts";
import { pausedByAnnotation } from "./annotations.ts";
import type { HookOperation } from "./hooks.ts";
import { type HelmControllerOptions, helmSettings } from "./options.ts";
import {
  ample,
  conditionsOf,
  namespace,
  patiently,
  startHelmBench,
  type Web,
  webs,
} from "./testing/bench.ts";
import { webChart } from "./testing/charts.ts";

test(
  "an object that is paused is left alone until it is not, also when it goes",
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
  ample,
);

test(
  "hooks run before and after each operation, the uninstall too, and what they throw changes nothing",
  async () => {
    const bench = await startHelmBench();
    const seen: string[] = [];
    const { log } = await bench.operator({
      preHooks: [
        (object, values, { operation }) =>
          void seen.push(`${operation} ${object.metadata?.name} ${values?.colour}`),
        () => Promise.reject(new Error("a hook that fails")),
      ],
      postHooks: [(_, release, { operation }) => void seen.push(`${operation} done ${release?.revision}`)],
    });
    await bench.create("shop", { replicas: 1 });
    await patiently(() => expect(seen).toContain("install done 1"));
    await bench.change("shop", { colour: "blue" });
    await patiently(() => expect(seen).toContain("upgrade done 2"));
    await bench.remove("shop");
    await patiently(() => expect(seen).toContain("uninstall done undefined"));

    const only = (operation: HookOperation) => seen.filter((line) => line.startsWith(operation));
    // Of the chart's defaults, then of the object's.
    expect(only("install")).toEqual(["install shop red", "install done 1"]);
    expect(only("upgrade")).toEqual(["upgrade shop blue", "upgrade done 2"]);
    expect(only("uninstall")).toEqual(["uninstall shop blue", "uninstall done undefined"]);
    expect(log.filter(({ msg }) => msg === "A hook failed").length).toBeGreaterThanOrEqual(3);
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
  },
  ample,
);

test(
  "a selector is about objects, and not about the Secrets of their releases",
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
  ample,
);

test(
  "values are translated, overridden and mapped; overrides are told of",
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
    // It may have come from a Secret, by way of the environment.
    expect((await bench.events("shop")).join("\n")).not.toContain("green");
  },
  ample,
);

test(
  "objects in no namespace, and those to be kept, are watched and repaired by their annotations",
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
  ample,
);

test("a helm of somebody's own has the time that helm gives itself by default, and some more", () => {
  const { pendingPatience } = helmSettings({ resource: webs, chart: {}, helm: {} } as HelmControllerOptions);
  expect(pendingPatience).toBeGreaterThan(5 * 60_000);
  const begun = Date.parse("2026-11-22T07:00:00Z");
  const pending = revision(2, "pending-upgrade", { lastDeployed: "2026-11-22T07:00:00Z" });
  expect(recovery(releaseState(pending), { now: begun })).toEqual({
    kind: "wait",
    milliseconds: pendingPatience,
  });
});

test.each<[Partial<HelmControllerOptions>, string]>([
  [{ maxReleaseHistory: 1 }, "from 2"],
  [{ maxReleaseHistory: 2.5 }, "whole number"],
  [{ reconcilePeriod: -1 }, "reconcilePeriod is -1"],
  [{ waitForDeletionTimeout: Number.NaN }, "waitForDeletionTimeout is NaN"],
  [{ resource: { ...webs, namespaced: false } }, "scope: Namespaced"],
])("options that do not fit are named: %j", (options, message) => {
  const given = { resource: webs, chart: {}, helm: {}, ...options } as HelmControllerOptions;
  expect(() => helmSettings(given)).toThrow(message);
});
