// The operations of a real helm on the embedded cluster.
import { configMaps, customResourceDefinitions } from "@operator-path/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Helm } from "./helm.ts";
import { failure, type HelmBench, namespace, shopChart, startHelmBench } from "./testing/bench.ts";

let bench: HelmBench;
let helm: Helm;
let chart: string;
let before: string[];
beforeAll(async () => {
  bench = await startHelmBench();
  helm = bench.helm();
  chart = await bench.chart("shop", shopChart);
  before = await bench.objects();
});
afterAll(() => bench.stop());

const request = (name: string, values = {}) => ({ name, namespace, chart, values });

it("renders what an install or upgrade would apply, including lookups, and writes nothing", async () => {
  const rendered = await helm.dryRun(request("dry"));
  expect(rendered.manifest).toContain('  size: "1"');
  expect(rendered.manifest).toContain("kubernetes.io/metadata.name:default");
  expect(rendered).toMatchObject({ notes: "It is there, 1 large.", hooks: [{ name: "test" }] });
  expect(await bench.objects()).toEqual(before);

  await helm.install(request("dry"));
  const installed = await bench.objects();
  expect((await helm.dryRun(request("dry"))).manifest).toBe((await bench.history("dry"))[0]?.manifest);
  expect((await helm.dryRun(request("dry", { size: 3 }))).manifest).toContain('  size: "3"');
  expect(await bench.objects()).toEqual(installed);
  await helm.uninstall({ name: "dry", namespace });
});

it("drops values that an upgrade no longer gets", async () => {
  await helm.install(request("less", { size: 7 }));
  expect((await helm.dryRun(request("less"))).manifest).toContain('  size: "1"');
  await helm.upgrade(request("less"));
  expect(await bench.state("less")).toMatchObject({
    release: { values: {}, notes: "It is there, 1 large." },
  });
  await helm.uninstall({ name: "less", namespace });
});

it("renders without a server what it cannot apply yet", async () => {
  const { manifest } = await helm.dryRun(request("later", { ownKind: true }), { server: false });
  expect(manifest).toContain("kind: Shop");
  expect(
    await failure(helm.dryRun(request("later", { owner: { age: 7 } }), { server: false })),
  ).toMatchObject({
    kind: "render",
  });
});

it("installs a chart with its CRDs once it is known to render", async () => {
  const bringing = await bench.chart("bringing", {
    "crds/things.yaml": JSON.stringify({
      ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
      metadata: { name: "things.example.com" },
      spec: {
        ...{ group: "example.com", scope: "Namespaced", names: { plural: "things", kind: "Thing" } },
        versions: [
          { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
        ],
      },
    }),
    "templates/thing.yaml":
      'apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: {{ required "a name" .Values.name }}}\n',
  });
  const crds = async () => {
    const { items } = await bench.cluster.client.resource(customResourceDefinitions).list();
    return items.map(({ metadata }) => metadata?.name);
  };
  const thing = { ...request("things", { name: "one" }), chart: bringing };
  expect(await failure(helm.dryRun(thing))).toMatchObject({ kind: "unknown-kind" });
  expect((await helm.dryRun(thing, { server: false })).manifest).toContain("kind: Thing");
  const nameless = { ...thing, values: {} };
  for (const server of [true, false]) {
    expect(await failure(helm.dryRun(nameless, { server }))).toMatchObject({ kind: "render" });
  }
  expect(await crds()).toEqual([]);
  await helm.install(thing);
  expect(await crds()).toEqual(["things.example.com"]);
  expect((await helm.dryRun(thing)).manifest).toContain("kind: Thing");
  await helm.uninstall({ name: "things", namespace });
});

it("takes over a field of the chart that another manager has written", async () => {
  await helm.install(request("taken"));
  await bench.cluster.client
    .resource(configMaps)
    .namespace(namespace)
    .patch("taken", { data: { size: "9" } }, { type: "merge", fieldManager: "editor" });
  await helm.upgrade(request("taken", { size: 2 }));
  expect((await bench.cluster.client.resource(configMaps).namespace(namespace).get("taken")).data?.size).toBe(
    "2",
  );
  await helm.uninstall({ name: "taken", namespace });
});

it("names the problem with a release", async () => {
  await helm.install(request("one"));
  expect(await failure(helm.install(request("one")))).toMatchObject({ kind: "exists" });
  expect(await failure(helm.upgrade(request("none")))).toMatchObject({ kind: "not-found" });
  expect(await failure(helm.rollback({ name: "one", namespace, revision: 7 }))).toMatchObject({
    kind: "not-found",
    message: "helm rollback of default/one: release has no 7 version",
  });
  expect(await failure(helm.install({ ...request("two"), chart: "/there/is/none" }))).toMatchObject({
    kind: "chart",
    message: 'helm install of default/two: path "/there/is/none" not found',
  });
  await helm.uninstall({ name: "one", namespace });
});

it("installs in place of a release whose history was kept", async () => {
  await helm.install(request("again"));
  const [release] = await bench.history("again");
  await bench.byHand("uninstall", "again", "--keep-history");
  expect(await bench.state("again")).toMatchObject({ kind: "absent", uninstalled: { name: release?.name } });
  expect(await failure(helm.install(request("again")))).toMatchObject({ kind: "exists" });
  await helm.install(request("again"), { replace: true });
  expect(await bench.state("again")).toMatchObject({ kind: "deployed", release: { revision: 2 } });
  await helm.uninstall({ name: "again", namespace });
});

it("distinguishes a failing helm from a missing server and a missing helm", async () => {
  const kubeconfig = "/there/is/no/kubeconfig";
  expect(await failure(bench.helm({ kubeconfig }).install(request("far")))).toMatchObject({
    kind: "unreachable",
  });
  const none = await failure(bench.helm({ path: "/there/is/no/helm" }).install(request("far")));
  expect(none).toMatchObject({ kind: "not-started", exitCode: undefined });
  expect(none.message).toContain("/there/is/no/helm could not be started");
  const other = await failure(bench.helm({ path: process.execPath }).version());
  expect(other).toMatchObject({ kind: "cluster", operation: "version" });
  expect(() => bench.helm({ path: "helm" })).toThrow("helm's path must be absolute");
});
