import { startApiServer } from "@operator-path/apiserver";
import { configMaps, createClient, defineResource, events, type KubeObject } from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import { createEventRecorder } from "./event-recorder.ts";

interface SeriesEvent extends KubeObject {
  note?: string;
  series?: { count: number };
}

const seriesEvents = defineResource<SeriesEvent>({
  ...{ group: "events.k8s.io", version: "v1", kind: "Event", plural: "events", namespaced: true },
});

test("writes Events of both APIs to an API server, which shows each in the other API", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const client = createClient(server.kubeConfig());
  onTestFinished(() => client.close());
  const log: string[] = [];
  const about = await client
    .resource(configMaps)
    .namespace("default")
    .create({ metadata: { name: "settings" } });
  for (const api of ["v1", "events.k8s.io/v1"] as const) {
    const recorder = createEventRecorder(client, { component: "tool", api, log: (line) => log.push(line) });
    for (let time = 1; time <= 3; time++) {
      recorder.event(about, "Normal", "Read", api, { action: "Read", related: about });
    }
    recorder.event(about, "Warning", "R".repeat(300), "m".repeat(3_000), { action: "A".repeat(300) });
    await recorder.flush();
  }
  expect(log).toEqual([]);
  const core = await client.resource(events).namespace("default").list({ fieldSelector: "reason=Read" });
  expect(core.items).toHaveLength(2);
  expect(core.items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ message: "v1", count: 3 }),
      expect.objectContaining({ message: "events.k8s.io/v1", reportingComponent: "tool", action: "Read" }),
    ]),
  );
  const { items } = await client.resource(seriesEvents).namespace("default").list();
  expect(items.filter(({ note }) => note === "events.k8s.io/v1")).toMatchObject([{ series: { count: 3 } }]);
  expect(items).toHaveLength(4);
});
