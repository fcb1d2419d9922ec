import { events } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { timestamp } from "../objects.ts";
import { startTestCluster, within } from "../testing/cluster.ts";

test("deletes Events an hour after they were last seen", async () => {
  const cluster = await startTestCluster();
  const start = Date.now();
  const clock = createFakeClock(start);
  try {
    await cluster.startManager({ clock });
    const all = cluster.client.resource(events).namespace("default");
    const record = (name: string, minutesAgo: number) =>
      all.create({
        metadata: { name, namespace: "default" },
        involvedObject: { kind: "Namespace", name: "default", namespace: "default" },
        reason: "Test",
        type: "Normal",
        firstTimestamp: timestamp(start - 120 * 60_000),
        lastTimestamp: timestamp(start - minutesAgo * 60_000),
      });
    await record("old", 59);
    await record("young", 30);
    const names = async () => (await all.list()).items.map(({ metadata }) => metadata.name);
    expect(await names()).toEqual(["old", "young"]);
    await clock.advance(6 * 60_000);
    await expect.poll(names, within).toEqual(["young"]);
  } finally {
    await cluster.stop();
  }
});
