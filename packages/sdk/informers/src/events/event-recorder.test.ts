import {
  ApiError,
  type Client,
  createClientOn,
  type Event,
  type TransportRequest,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { createEventRecorder } from "./event-recorder.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "shop", uid: "u1" } };

/** Returns a client that stores Events, as far as this package writes them. */
function eventServer(respond: (request: TransportRequest) => void = () => {}) {
  const events = new Map<string, Event>();
  const client: Client = createClientOn({
    async request(request) {
      respond(request);
      const body = request.body as Event;
      const name =
        request.method === "POST" ? (body.metadata.name ?? "") : (request.path.split("/").at(-1) ?? "");
      if (request.method === "PATCH" && !events.has(name))
        throw new ApiError({ code: 404, reason: "NotFound", message: `events "${name}" not found` });
      events.set(name, { ...events.get(name), ...body });
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(events.get(name))) };
    },
    stream: () => Promise.reject(new Error("no streams here")),
    close: () => Promise.resolve(),
  });
  return { client, list: () => [...events.values()], expire: () => events.clear() };
}

test("records source, object and count in an Event", async () => {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const server = eventServer();
  const recorder = createEventRecorder(server.client, { component: "podbuggertool", clock });
  recorder.event(pod, "Normal", "Added", "one", { fieldPath: "spec.containers{web}" });
  await clock.advance(61_000);
  recorder.event(pod, "Normal", "Added", "one", { fieldPath: "spec.containers{web}" });
  recorder.event(pod, "Warning", "Failed", "two");
  await recorder.flush();
  expect(server.list()).toMatchObject([
    {
      involvedObject: {
        kind: "Pod",
        name: "web",
        namespace: "shop",
        uid: "u1",
        fieldPath: "spec.containers{web}",
      },
      source: { component: "podbuggertool" },
      reason: "Added",
      count: 2,
      firstTimestamp: "2026-01-01T00:00:00Z",
      lastTimestamp: "2026-01-01T00:01:01Z",
    },
    { type: "Warning", reason: "Failed", message: "two", count: 1 },
  ]);
});

test("limits the Events of one object", async () => {
  const clock = createFakeClock();
  const server = eventServer();
  const recorder = createEventRecorder(server.client, { component: "c", clock });
  for (let i = 0; i < 100; i++) recorder.event(pod, "Normal", `Busy${i}`, "message");
  await recorder.flush();
  expect(server.list()).toHaveLength(25);
  await clock.advance(5 * 60_000);
  recorder.event(pod, "Normal", "Busy", "later");
  recorder.event(pod, "Normal", "Busy", "too soon");
  await recorder.flush();
  expect(server.list().map(({ message }) => message)).toContain("later");
  expect(server.list()).toHaveLength(26);
});

test("counts a dropped Event, and writes the count with the next one", async () => {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const server = eventServer();
  const recorder = createEventRecorder(server.client, { component: "c", clock });
  const counts = async () => {
    await recorder.flush();
    return server.list().map(({ message, count }) => `${message} x${count}`);
  };
  for (let i = 0; i < 100; i++) recorder.event(pod, "Normal", "Busy", "again");
  recorder.event(pod, "Normal", "Else", "never written");
  expect(await counts()).toEqual(["again x25"]);
  await clock.advance(5 * 60_000);
  recorder.event(pod, "Normal", "Busy", "again");
  expect(await counts()).toEqual(["again x101"]);
  await clock.advance(5 * 60_000);
  recorder.event(pod, "Normal", "Else", "never written");
  expect(await counts()).toEqual(["again x101", "never written x2"]);
  expect(server.list().at(-1)?.firstTimestamp).toBe("2026-01-01T00:00:00Z");
});

test("creates an expired Event again, with its count", async () => {
  const clock = createFakeClock();
  const server = eventServer();
  const recorder = createEventRecorder(server.client, { component: "c", clock });
  recorder.event(pod, "Normal", "Busy", "again");
  await recorder.flush();
  server.expire();
  recorder.event(pod, "Normal", "Busy", "again");
  await recorder.flush();
  expect(server.list()).toMatchObject([{ count: 2, reason: "Busy" }]);
});

test("remembers no more Events than client-go does", async () => {
  const server = eventServer();
  const recorder = createEventRecorder(server.client, { component: "c", clock: createFakeClock() });
  const about = async (number: number) => {
    const metadata = { name: `p${number}`, namespace: "shop", uid: `u${number}` };
    recorder.event({ ...pod, metadata }, "Normal", "Added", "one");
    await recorder.flush();
  };
  for (let number = 0; number <= 4096; number++) await about(number);
  await about(1);
  await about(0);
  expect(server.list().filter(({ count }) => count === 2)).toHaveLength(1);
  expect(server.list()).toHaveLength(4098);
});

test("retries while the server is unreachable, then drops the Event and logs it", async () => {
  const clock = createFakeClock();
  let failures = 11;
  const log: string[] = [];
  const server = eventServer(() => {
    if (failures-- > 0) throw new Error("connection refused");
  });
  const recorder = createEventRecorder(server.client, {
    component: "c",
    clock,
    log: (line) => log.push(line),
  });
  recorder.event(pod, "Normal", "Added", "one");
  await clock.advance(110_000);
  await recorder.flush();
  expect(server.list()).toHaveLength(1);
  failures = 12;
  recorder.event(pod, "Normal", "Added", "two");
  await clock.advance(110_000);
  await recorder.flush();
  expect(server.list()).toHaveLength(1);
  expect(log).toEqual(["event Added about web was dropped: connection refused"]);
});

test("combines Events that differ only in their message from the tenth on", async () => {
  const clock = createFakeClock();
  const server = eventServer();
  const recorder = createEventRecorder(server.client, { component: "c", clock });
  for (let i = 1; i <= 15; i++) recorder.event(pod, "Normal", "Scaled", `to ${i}`);
  recorder.event(pod, "Normal", "Else", "not similar");
  await recorder.flush();
  expect(server.list().map(({ message, count }) => `${message} x${count}`)).toEqual([
    ...Array.from({ length: 9 }, (_, i) => `to ${i + 1} x1`),
    "(combined from similar events): to 15 x6",
    "not similar x1",
  ]);
});

test("continues after an Event that cannot be recorded and a log that throws", async () => {
  const clock = createFakeClock();
  const lines: string[] = [];
  const server = eventServer(({ method }) => {
    if (method === "POST" && lines.length === 0)
      throw new ApiError({ code: 403, reason: "Forbidden", message: "no" });
  });
  const log = (line: string) => {
    lines.push(line);
    throw new Error("the log is broken");
  };
  const recorder = createEventRecorder(server.client, { component: "test", clock, log });
  recorder.event(pod, "Normal", "Refused", "one");
  recorder.event(pod, "Normal", undefined as unknown as string, "no reason");
  const outside = { ...pod, metadata: { name: "node", namespace: "../.." } };
  recorder.event(outside, "Normal", "Nowhere", "in no namespace");
  recorder.event({ ...pod, metadata: { name: "node", namespace: "" } }, "Normal", "Clustered", "two");
  await clock.advance(0);
  expect(server.list()).toMatchObject([{ reason: "Clustered", metadata: { namespace: "default" } }]);
  expect(lines).toEqual([
    expect.stringMatching(/^event undefined could not be recorded: /),
    "event Refused about web was dropped: no",
    expect.stringMatching(/^event Nowhere about node was dropped: .*cannot be the namespace/),
  ]);
  expect(clock.pending()).toBe(0);
});

test("creates a valid Event name for every object name", async () => {
  const server = eventServer();
  const recorder = createEventRecorder(server.client, { component: "c" });
  const name = `${"a".repeat(235)}.${"b".repeat(17)}`;
  recorder.event({ ...pod, metadata: { ...pod.metadata, name } }, "Normal", "Added", "one");
  recorder.event(pod, "Normal", "Added", "one");
  await recorder.flush();
  const names = server.list().map(({ metadata }) => metadata.name ?? "");
  expect(names[1]).toMatch(/^web\.[0-9a-f]{16}$/);
  expect(names[0]).toMatch(/^a{235}\.[0-9a-f]{16}$/);
});

test("neither repeats nor drops an Event whose answer was lost", async () => {
  const clock = createFakeClock();
  const log: string[] = [];
  let tries = 0;
  const server = eventServer();
  const lossy = createClientOn({
    ...server.client,
    async request(request) {
      if (++tries === 2)
        throw new ApiError({ code: 409, reason: "AlreadyExists", message: "already exists" });
      const response = await server.client.request(request);
      if (tries === 1) throw new Error("the connection broke");
      return response;
    },
  });
  const recorder = createEventRecorder(lossy, { component: "c", clock, log: (line) => log.push(line) });
  recorder.event(pod, "Normal", "Added", "one");
  await clock.advance(10_000);
  await recorder.flush();
  expect(log).toEqual([]);
  recorder.event(pod, "Normal", "Added", "one");
  await recorder.flush();
  expect(server.list().map(({ count }) => count)).toEqual([2]);
});

test("bounds its memory while the server does not answer, and does not keep the process alive", async () => {
  const log: string[] = [];
  const silent = createClientOn({
    request: () => new Promise(() => {}),
    stream: () => new Promise(() => {}),
    close: () => Promise.resolve(),
  });
  const recorder = createEventRecorder(silent, { component: "c", log: (line) => log.push(line) });
  for (let i = 0; i < 1_001; i++) {
    const metadata = { name: `p${i}`, namespace: "shop", uid: `u${i}` };
    recorder.event({ ...pod, metadata }, "Normal", "Added", "one");
  }
  expect(log).toEqual(["event Added about p1000 was dropped: 1000 Events are already queued"]);
  const patience = new AbortController();
  const flushed = recorder.flush(patience.signal);
  patience.abort();
  await flushed;
});

test("retries at once during a flush, and waits for at most ten seconds", async () => {
  const clock = createFakeClock();
  const log: string[] = [];
  let mode: "down" | "up" | "silent" = "down";
  const server = eventServer();
  const client = createClientOn({
    ...server.client,
    request: (request) =>
      mode === "silent"
        ? new Promise(() => {})
        : mode === "down"
          ? Promise.reject(new Error("connection refused"))
          : server.client.request(request),
  });
  const recorder = createEventRecorder(client, { component: "c", clock, log: (line) => log.push(line) });
  recorder.event(pod, "Normal", "Added", "one");
  await clock.advance(1);
  mode = "up";
  // The fake clock does not advance: the flush ends the pause of up to ten seconds.
  await recorder.flush();
  expect(server.list()).toMatchObject([{ reason: "Added" }]);
  mode = "silent";
  for (const reason of ["Lost", "Waiting", "Waiting"]) recorder.event(pod, "Normal", reason, "message");
  let isOver = false;
  const flushed = recorder.flush().then(() => {
    isOver = true;
  });
  await clock.advance(9_999);
  expect(isOver).toBe(false);
  await clock.advance(1);
  await flushed;
  expect(log).toEqual(["event Lost about web was dropped: it was not written in time (and 2 more)"]);
  expect(clock.pending()).toBe(0);
});

test("flushes the Events recorded before the call, not later ones", async () => {
  const clock = createFakeClock();
  const server = eventServer();
  const client = createClientOn({
    ...server.client,
    async request(request) {
      await undefined;
      if ((request.body as Event).reason === "Second") return new Promise(() => {});
      recorder.event(pod, "Normal", "Second", "never answered");
      return server.client.request(request);
    },
  });
  const recorder = createEventRecorder(client, { component: "c", clock });
  recorder.event(pod, "Normal", "First", "message");
  await recorder.flush();
  expect(server.list().map(({ reason }) => reason)).toEqual(["First"]);
});

test("logs an invalid Event and does not record it", async () => {
  const server = eventServer();
  const log: string[] = [];
  const recorder = createEventRecorder(server.client, { component: "c", log: (line) => log.push(line) });
  recorder.event(pod, "Error" as "Warning", "Failed", "no");
  recorder.event({ metadata: pod.metadata }, "Normal", "Added", "no");
  await recorder.flush();
  expect(server.list()).toEqual([]);
  expect(log).toEqual([
    'event Failed about web was not recorded: its type is "Error"; use "Normal" or "Warning"',
    "event Added about web was not recorded: the object has no kind; set apiVersion and kind",
  ]);
});

test.each([
  [{}, 'component is undefined: name the source of the Events, for example "memcached-controller"'],
  [{ component: "" }, 'component is "": name the source of the Events, for example "memcached-controller"'],
  [{ component: "c", api: "events/v1" }, 'api is "events/v1": choose "v1" or "events.k8s.io/v1"'],
])("rejects the invalid options %j", (options, message) => {
  expect(() => createEventRecorder(eventServer().client, options as { component: string })).toThrow(
    new TypeError(message),
  );
});
