import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, configMaps, createClient } from "@operator-path/client";
import type { EmbeddedCluster } from "@operator-path/cluster";
import { expect, onTestFinished } from "vitest";
import { openMemory } from "../../memory.ts";
import { testLearner } from "../../testing/learner.ts";
import { testCourse } from "../../testing/test-course.ts";
import { openWorkbench, type Workbench } from "../../workbench.ts";

/** A workbench in whose terminal the operator of `shop-operator.ts` runs. */
export interface Shop {
  readonly workbench: Workbench;
  /** What the workbench reports of the last fault. */
  seen(): Promise<string>;
  /** Gives the operator something to copy, as a person does. */
  order(name: string): Promise<void>;
  /** Resolves when the operator has copied it. */
  copied(name: string): Promise<void>;
  startOperator(): Promise<void>;
}

const operator = fileURLToPath(new URL("../../testing/shop-operator.ts", import.meta.url));

/** Opens a workbench on a cluster, and starts the operator with these flags. All ends with the test. */
export async function openShop(cluster: EmbeddedCluster, flags = ""): Promise<Shop> {
  const learner = testLearner();
  const workbench = await openWorkbench("t/1", {
    ...{ course: testCourse("## Run\n", learner, cluster), shortPath: () => "p" },
    memory: openMemory(join(learner.folder, "workbench.json")),
    signal: AbortSignal.timeout(600_000),
  });
  const kubectl: Client = createClient(cluster.kubeConfig, { userAgent: "kubectl/v1" });
  onTestFinished(async () => {
    await workbench[Symbol.asyncDispose]();
    await kubectl.close();
  });
  const maps = kubectl.resource(configMaps).namespace("default");
  const shop: Shop = {
    workbench,
    seen: async () => (await workbench.view()).fault?.seen.join("\n") ?? "",
    async order(name) {
      await maps.create({ metadata: { name, labels: { copy: "yes" } } });
      onTestFinished(async () => {
        for (const one of [name, `${name}-copy`]) await maps.delete(one).catch(() => {});
      });
    },
    copied: (name) =>
      expect
        .poll(async () => (await maps.list()).items.map(({ metadata }) => metadata?.name))
        .toContain(`${name}-copy`),
    async startOperator() {
      const terminal = workbench.terminals.open("operator");
      const node = `'${process.execPath}' --conditions=@operator-path/source`;
      terminal.start(`KUBECONFIG=${cluster.kubeconfigPath} ${node} '${operator}' ${flags}`);
    },
  };
  await shop.startOperator();
  await shop.order("first");
  await shop.copied("first");
  return shop;
}
