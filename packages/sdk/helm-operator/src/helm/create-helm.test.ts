// The operations of a real helm on the embedded cluster.
import { configMaps } from "@operator-path/client";
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

it.each([
  [
    "render",
    { owner: { age: 7 } },
    "execution error at (shop/templates/shop.yaml:9:12): owner.name: say whose shop it is",
  ],
  [
    "render",
    { failure: "no.\n  That: 100% {}" },
    "execution error at (shop/templates/shop.yaml:12:5): no.\n  That: 100% {}",
  ],
  ["render", { deep: true }, "shop/templates/shop.yaml:15:18"],
  [
    "render",
    { badYaml: true },
    "YAML parse error on shop/templates/shop.yaml: error converting YAML to JSON: yaml: line ",
  ],
  ["schema", { size: -1 }, "(s) in the following chart(s):\nshop:\n- at '/size': minimum: got -1, want 0"],
  ["schema", { size: "two" }, "- at '/size': got string, want integer"],
  ["unknown-kind", { ownKind: true }, 'no matches for kind "Shop" in version "example.com/v1"'],
] as const)(
  "reports a %s error of values %j in helm's own words, and writes nothing",
  async (kind, values, words) => {
    for (const operation of ["dry run", "install"] as const) {
      const run = operation === "install" ? helm.install : helm.dryRun;
      const error = await failure(run(request("refused", values)));
      expect(error).toMatchObject({ kind, operation, exitCode: 1 });
      expect(error.message).toContain(`helm ${operation} of default/refused: `);
      expect(error.message).toContain(words);
    }
    expect(await bench.objects()).toEqual(before);
    expect(await bench.state("refused")).toEqual({ kind: "absent" });
  },
);

it("installs, upgrades, rolls back and uninstalls, as the history shows", async () => {
  const sizeOf = async () =>
    (await bench.cluster.client.resource(configMaps).namespace(namespace).get("web")).data?.size;
  await helm.install(request("web"), { description: "from nothing: --it is-- there" });
  await helm.upgrade(request("web", { size: 2 }), { maxHistory: 3 });
  expect(await sizeOf()).toBe("2");
  expect(await bench.state("web")).toMatchObject({
    kind: "deployed",
    release: {
      ...{ name: "web", namespace, revision: 2, status: "deployed", values: { size: 2 }, applyMethod: "ssa" },
      chart: { name: "shop", version: "0.1.0" },
      notes: "It is there, 2 large.",
      hooks: [{ name: "test", kind: "Pod", events: ["test"], path: "shop/templates/test.yaml" }],
      manifest: expect.stringContaining(
        "# Source: shop/templates/shop.yaml\napiVersion: v1\nkind: ConfigMap\n",
      ),
    },
  });
  await helm.rollback({ name: "web", namespace, revision: 1, maxHistory: 3 });
  expect(await sizeOf()).toBe("1");
  await helm.upgrade(request("web", { size: 4 }), { force: true, maxHistory: 3 });
  await helm.upgrade(request("web", { size: 5 }), { maxHistory: 3 });
  const history = await bench.history("web");
  expect(history.map(({ revision, status }) => `${revision} ${status}`)).toEqual([
    "5 deployed",
    "4 superseded",
    "3 superseded",
  ]);
  expect(history.map(({ applyMethod }) => applyMethod)).toEqual(["ssa", "csa", "ssa"]);
  await helm.uninstall({ name: "web", namespace, wait: true, timeout: 30_000 });
  expect(await bench.objects()).toEqual(before);
  await helm.uninstall({ name: "web", namespace });
});

it("passes every character of the values", async () => {
  const text = "\u007f\u0085\u2028\u2029\ufeff\ufffe\t\r\n\"'\\ {{ }} : # - 😀 ~ null \u0007";
  const values = { text, "a.b": [1, -0.5, 1e300, true, null, ""], who: { name: "0x1F" }, yes: "no" };
  await helm.install(request("characters", values));
  expect((await bench.history("characters"))[0]?.values).toEqual(values);
  await helm.uninstall({ name: "characters", namespace });
});
