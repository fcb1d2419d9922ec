import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test } from "vitest";
import { startTestServer } from "../../testing/test-server.ts";
import { expireEvents } from "./expire-events.ts";
import { createStore } from "./store.ts";

const minute = 60_000;
const events = "/api/v1/namespaces/default/events";

function event(name: string) {
  const involvedObject = { kind: "Pod", namespace: "default", name: "web" };
  return { apiVersion: "v1", kind: "Event", metadata: { name, namespace: "default" }, involvedObject };
}

test("deletes an Event one hour after its last write, and tells watchers", async () => {
  const clock = createFakeClock();
  const server = await startTestServer({ clock });
  await server.create(events, event("old"));
  await server.create(events, event("repeated"));
  await clock.advance(30 * minute);
  await server.request("PATCH", `${events}/repeated`, {
    body: { count: 2 },
    headers: { "content-type": "application/merge-patch+json" },
  });
  const list = await server.request("GET", events);
  const version = list.json<{ metadata: { resourceVersion: string } }>().metadata.resourceVersion;
  const watch = await server.watch(`${events}?watch=1&resourceVersion=${version}`);
  onTestFinished(() => watch.close());

  await clock.advance(31 * minute);
  const deleted = await watch.next();
  expect([deleted?.type, deleted?.object.metadata.name]).toEqual(["DELETED", "old"]);
  expect((await server.request("GET", `${events}/old`)).status).toBe(404);
  expect((await server.request("GET", `${events}/repeated`)).status).toBe(200);

  await clock.advance(30 * minute);
  expect((await server.request("GET", `${events}/repeated`)).status).toBe(404);
});

test("expires no Event early or late when the clock is set a day forward or back", async () => {
  const clock = createFakeClock();
  const server = await startTestServer({ clock });
  await server.create(events, event("a"));
  const day = 24 * 60 * minute;
  clock.set(day);
  await clock.advance(58 * minute);
  expect((await server.request("GET", `${events}/a`)).status).toBe(200);
  clock.set(-2 * day);
  await clock.advance(3 * minute);
  expect((await server.request("GET", `${events}/a`)).status).toBe(404);
});

test("uses one timer for thousands of Events", async () => {
  const clock = createFakeClock();
  const store = createStore();
  onTestFinished(expireEvents(store, clock));
  for (let index = 0; index < 3_000; index++) {
    store.create("events", `default/${index}`, { apiVersion: "v1", kind: "Event", metadata: {} });
  }
  expect(clock.pending()).toBe(1);
  await clock.advance(61 * minute);
  expect(store.count("events")).toBe(0);
  expect(clock.pending()).toBe(1);
});
