import { defineResource } from "@operator-path/client";
import { expect, test } from "vitest";
import {
  conditionsOf,
  longTimeout,
  namespace,
  patiently,
  startHelmBench,
  webDefinition,
} from "./testing/bench.ts";
import { webChart } from "./testing/charts.ts";

const cakes = defineResource({
  ...{ group: "bakery.example.com", version: "v1", kind: "Cake", plural: "cakes", namespaced: true },
});
const definition = JSON.stringify(webDefinition)
  .replaceAll("example.com", "bakery.example.com")
  .replaceAll("webs", "cakes")
  .replaceAll('"web"', '"cake"')
  .replaceAll("Web", "Cake");

test(
  "installs a chart that brings a CRD and an object of its kind, and repairs that object",
  async () => {
    const bench = await startHelmBench();
    const files = {
      ...webChart,
      "crds/cakes.yaml": definition,
      "templates/cake.yaml":
        "apiVersion: bakery.example.com/v1\nkind: Cake\nmetadata:\n  name: {{ .Release.Name }}\nspec:\n  layers: 3\n",
    };
    const { processes } = await bench.operator({ files });
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    const api = bench.cluster.client.resource(cakes).namespace(namespace);
    await patiently(async () =>
      expect((await api.get("shop")).metadata?.ownerReferences).toMatchObject([
        { kind: "Web", name: "shop" },
      ]),
    );
    await api.patch("shop", { spec: { layers: 1 } }, { type: "merge" });
    await patiently(async () => expect(await api.get("shop")).toMatchObject({ spec: { layers: 3 } }));
    await api.delete("shop");
    await patiently(async () => expect(await api.get("shop")).toMatchObject({ spec: { layers: 3 } }));
    expect(processes).toEqual(["version", "dry run", "dry run", "install"]);
  },
  longTimeout,
);
