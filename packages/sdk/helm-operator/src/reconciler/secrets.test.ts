import { secrets } from "@operator-path/client";
import { expect, test } from "vitest";
import { conditionsOf, longTimeout, namespace, patiently, startHelmBench } from "./testing/bench.ts";
import { webChart } from "./testing/charts.ts";

test(
  "repairs a chart's Secrets, and neither caches nor shows their data",
  async () => {
    const bench = await startHelmBench();
    const files = {
      ...webChart,
      "templates/secret.yaml":
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Release.Name }}\nstringData:\n  password: xyzzy\n",
    };
    const { manager, processes } = await bench.operator({ files });
    await bench.create("shop");
    const api = bench.cluster.client.resource(secrets).namespace(namespace);
    await patiently(async () => expect((await api.get("shop")).metadata?.ownerReferences).toHaveLength(1));
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));

    const password = Buffer.from("xyzzy").toString("base64");
    await api.patch("shop", { data: { password: "AAAA" } }, { type: "merge" });
    await patiently(async () => expect((await api.get("shop")).data).toEqual({ password }));
    await api.delete("shop");
    await patiently(async () => expect((await api.get("shop")).data).toEqual({ password }));
    expect(processes).toEqual(["version", "dry run", "install"]);
    const watched = manager.cache.health().informers.filter(({ resource }) => resource.plural === "secrets");
    expect(watched).toMatchObject([{ resource: { metadataOnly: true } }]);
    expect(JSON.stringify(await bench.get("shop"))).not.toMatch(/xyzzy|eHl6enk/);
  },
  longTimeout,
);
