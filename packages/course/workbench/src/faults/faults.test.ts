import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop } from "./testing/shop.ts";

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbeddedCluster();
});
afterAll(() => cluster.stop());

const faultEntries = ({ workbench }: Awaited<ReturnType<typeof openShop>>) =>
  workbench.model.history.entries
    .filter(({ type }) => type === "fault")
    .map(({ by, kind, text }) => `${by} ${kind}: ${text}`);

test("breaks the operator's watches; it watches again and misses nothing", async () => {
  const shop = await openShop(cluster);
  const { ok, text } = await shop.workbench.cause("break-watch");
  expect({ ok, text }).toMatchObject({ ok: true, text: expect.stringContaining("lost the connection") });
  await shop.order("meanwhile");
  await shop.copied("meanwhile");
  await expect
    .poll(shop.seen)
    .toMatch(/^configmaps: watched again after .+, from resourceVersion \d+\. .*nothing is missed\.$/m);
  expect(faultEntries(shop)).toEqual(
    expect.arrayContaining([
      "shop configmaps: the watch lost its connection",
      expect.stringMatching(/^shop configmaps: watches again, from resourceVersion \d+$/),
    ]),
  );
});

test("refuses the operator's writes, shows its back-off, and allows them again", async () => {
  const shop = await openShop(cluster);
  expect(await shop.workbench.faults()).toContainEqual(
    expect.objectContaining({
      name: "refuse-writes",
      choices: ["create configmaps"],
      unavailable: undefined,
    }),
  );
  expect(await shop.workbench.cause("refuse-writes", "create configmaps")).toMatchObject({ ok: true });
  expect((await shop.workbench.view()).fault).toMatchObject({ lasts: true });
  await shop.order("refused");
  await expect
    .poll(shop.seen)
    .toMatch(
      /^create configmaps \(default\): refused \d+ times\. Pauses: .+ They grow: the work queue backs off/m,
    );
  expect(faultEntries(shop)).toContain("shop configmaps: create configmaps: 403 Forbidden");
  await shop.workbench.endFault();
  expect((await shop.workbench.view()).fault).toMatchObject({
    ...{ lasts: false, text: "The API server accepts writes again." },
  });
  await shop.copied("refused");
  await expect
    .poll(shop.seen)
    .toMatch(/^create configmaps \(default\): accepted, .+ after the last refusal\.$/m);
  await shop.workbench.endFault();
  expect((await shop.workbench.view()).fault).toBeUndefined();
});

test("says what is missing when there is no operator, no Lease, or no such write", async () => {
  const shop = await openShop(cluster);
  await shop.workbench.cause("kill-operator");
  await expect.poll(() => shop.workbench.terminals.find("operator")?.status()).toBe(137);
  const unavailable = async () =>
    (await shop.workbench.faults()).flatMap((fault) => fault.unavailable?.match(/^No [a-z]+ [a-z]+/) ?? []);
  await expect.poll(unavailable).toEqual(["No program runs", "No operator watches", "No operator holds"]);
  expect(await shop.workbench.cause("kill-operator")).toMatchObject({ ok: false });
  await expect
    .poll(() => shop.workbench.cause("break-watch"))
    .toMatchObject({
      ok: false,
      text: "No operator watches anything. Start yours first.",
    });
  expect(await shop.workbench.cause("refuse-writes", "delete nodes")).toMatchObject({ ok: false });
});

test("does not disturb the API server of a cluster that the session has not started", async () => {
  const shop = await openShop({ ...cluster, faults: undefined } as unknown as EmbeddedCluster);
  const unavailable = (await shop.workbench.faults()).filter((fault) =>
    fault.unavailable?.startsWith("This works only on a cluster"),
  );
  expect(unavailable.map(({ name }) => name)).toEqual(["break-watch", "refuse-writes"]);
  for (const name of ["break-watch", "refuse-writes"] as const)
    expect(await shop.workbench.cause(name)).toMatchObject({
      ...{
        ok: false,
        text: expect.stringContaining("This works only on a cluster that this session started"),
      },
    });
});
