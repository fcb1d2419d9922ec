import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop } from "./testing/shop.ts";

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
});
afterAll(() => cluster.stop());

test("takes the lease: the operator ends, and leads again when it is started and the Lease has expired", async () => {
  const shop = await openShop(cluster, "--leader-elect");
  const { ok, text } = await shop.workbench.cause("take-lease");
  expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining("default/shop") });
  await expect
    .poll(shop.seen)
    .toMatch(/^The program in the terminal operator ended after .+, with exit status 1\.$/m);
  await shop.order("without-a-leader");
  await shop.startOperator();
  await shop.copied("without-a-leader");
  await expect.poll(shop.seen).toMatch(/^default\/shop: .+ holds it, .+ after it was taken\.$/m);
});
