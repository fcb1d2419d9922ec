import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createEventRecorder, type EventRecorderOptions } from "./event-recorder.ts";
import { createEventStore } from "./testing/event-store.ts";

const minute = 60_000;
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid: "u1", resourceVersion: "7" },
};

function world(options: Partial<EventRecorderOptions> = {}) {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const server = createEventStore();
  const recorder = createEventRecorder(server.client, {
    ...{ component: "example.com/tool", host: "node-1", api: "events.k8s.io/v1", clock },
    ...options,
  });
  return { clock, server, recorder };
}

test("writes action, object, reason and related object into an events.k8s.io/v1 Event", async () => {
  const { server, recorder } = world();
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "node-1", uid: "u2" } };
  recorder.event(pod, "Warning", "Evicted", "no room", { action: "Evict", related: node, fieldPath: "spec" });
  recorder.event(node, "Normal", "Tidied", "all is well");
  await recorder.flush();
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /apis/events.k8s.io/v1/namespaces/shop/events",
    "POST /apis/events.k8s.io/v1/namespaces/default/events",
  ]);
  expect(server.list()).toEqual([
    {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: expect.stringMatching(/^web\.[0-9a-f]{16}$/), namespace: "shop" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "example.com/tool",
      reportingInstance: "example.com/tool-node-1",
      action: "Evict",
      reason: "Evicted",
      regarding: { ...{ apiVersion: "v1", kind: "Pod" }, ...pod.metadata, fieldPath: "spec" },
      related: { apiVersion: "v1", kind: "Node", name: "node-1", uid: "u2" },
      note: "no room",
      type: "Warning",
    },
    expect.objectContaining({ reason: "Tidied", action: "Tidied" }),
  ]);
});

test("starts a series with the second Event, and writes the later ones when the series ends", async () => {
  const { clock, server, recorder } = world();
  const record = (note: string, resourceVersion: string) =>
    recorder.event({ ...pod, metadata: { ...pod.metadata, resourceVersion } }, "Normal", "Scaled", note);
  record("to 1", "7");
  await clock.advance(1_000);
  for (let replicas = 2; replicas <= 9; replicas++) record(`to ${replicas}`, String(replicas));
  await clock.advance(1_000);
  expect(server.requests.map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  expect(server.requests[1]?.body).toEqual({
    series: { count: 2, lastObservedTime: "2026-01-01T00:00:01.000000Z" },
  });
  await clock.advance(6 * minute);
  expect(server.list()).toMatchObject([
    { note: "to 1", series: { count: 9, lastObservedTime: "2026-01-01T00:00:01.000000Z" } },
  ]);
  // Nothing is pending any more, so the next Event starts a new series.
  expect(clock.pending()).toBe(0);
  record("to 10", "10");
  await recorder.flush();
  expect(server.list()).toMatchObject([{ note: "to 1" }, { note: "to 10" }]);
});

test("writes an active series every half hour, before the server deletes it", async () => {
  const { clock, server, recorder } = world();
  for (let minutes = 0; minutes <= 65; minutes++) {
    recorder.event(pod, "Warning", "BackOff", `for ${minutes} min`);
    await clock.advance(minute);
  }
  expect(server.requests.map(({ method }) => method)).toEqual(["POST", "PATCH", "PATCH", "PATCH"]);
  await recorder.flush();
  expect(server.list()).toMatchObject([{ note: "for 0 min", series: { count: 66 } }]);
  expect(clock.pending()).toBe(0);
});

test("creates an expired Event again, with its series", async () => {
  const { server, recorder } = world();
  recorder.event(pod, "Normal", "Busy", "again");
  await recorder.flush();
  server.expire();
  recorder.event(pod, "Normal", "Busy", "again");
  await recorder.flush();
  expect(server.list()).toMatchObject([{ note: "again", series: { count: 2 } }]);
});

test("truncates long texts between characters, and rejects an invalid component", async () => {
  const { server, recorder } = world({ host: "h".repeat(200) });
  recorder.event(pod, "Normal", "R".repeat(200), "é".repeat(600), { action: "A".repeat(129) });
  await recorder.flush();
  expect(server.list()).toMatchObject([
    {
      reason: `${"R".repeat(125)}...`,
      action: `${"A".repeat(125)}...`,
      note: `${"é".repeat(510)}...`,
      reportingInstance: expect.stringMatching(/^example.com\/tool-h+\.\.\.$/),
    },
  ]);
  expect(() => world({ component: "my tool" })).toThrow('component "my tool" is not a qualified name');
});
