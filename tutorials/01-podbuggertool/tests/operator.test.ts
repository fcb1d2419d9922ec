import { readFileSync } from "node:fs";
import {
  ApiError,
  type Client,
  type Clock,
  createClient,
  createTransport,
  customResourceDefinitions,
  events,
  namespaces,
  type Pod,
  pods,
  systemClock,
  type Transport,
  type TransportRequest,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { type Cluster, startEmbeddedCluster } from "@operator-path/cluster";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { type Podbuggertool, podbuggertools } from "../podbuggertool/src/types.ts";
import { versions } from "./testing/versions.ts";

// What pages 1 and 3 end with is one operator, written twice: the same scenes, played with both.

let cluster: Cluster;
let client: Client;
let namespace: string;
let stopOperator: () => Promise<void>;
/** What the operator sent, reads left out, and the resourceVersion that the object had afterwards. */
let writes: (TransportRequest & { resourceVersion?: string })[];
/** May throw instead of letting a request of the operator through. */
let intercept: (request: TransportRequest) => void;
/** Aborting it breaks the watch of Pods, which cannot resume. The next watch waits for `online`. */
let outage: AbortController;
let online: Promise<void>;
let count = 0;

beforeAll(async () => {
  cluster = await startEmbeddedCluster();
  client = createClient(cluster.kubeConfig);
  const crd = parse(readFileSync(new URL("../podbuggertool/crd.yaml", import.meta.url), "utf8"));
  await client.resource(customResourceDefinitions).create(crd);
  await eventually(() => client.resource(podbuggertools).list());
});

afterAll(async () => {
  await client?.close();
  await cluster?.stop();
});

beforeEach(async () => {
  vi.spyOn(console, "log").mockReturnValue();
  namespace = `test-${++count}`;
  writes = [];
  intercept = () => {};
  outage = new AbortController();
  online = Promise.resolve();
  stopOperator = () => Promise.resolve();
  await client.resource(namespaces).create({ metadata: { name: namespace } });
});

afterEach(async () => {
  await stopOperator();
  vi.restoreAllMocks();
});

const eventually = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { interval: 20 });

const podsHere = () => client.resource(pods).namespace(namespace);

function createPod(name: string, { image = "payment:1.0.0", app = "payment" } = {}): Promise<Pod> {
  const spec = { containers: [{ name: "main", image }] };
  return eventually(() =>
    client
      .resource(pods)
      .create({ metadata: { name, namespace, labels: { app } }, spec: spec as Pod["spec"] }),
  );
}

function createTool(name: string, image: string, label = "app=payment"): Promise<Podbuggertool> {
  return client.resource(podbuggertools).create({ metadata: { name, namespace }, spec: { label, image } });
}

async function containersIn(pod: string): Promise<string[]> {
  const { spec } = await client.resource(pods).namespace(namespace).get(pod);
  return (spec?.ephemeralContainers ?? []).map(({ name, image }) => `${name} ${image}`);
}

async function installed(tool: string): Promise<number | undefined> {
  return (await client.resource(podbuggertools).namespace(namespace).get(tool)).status?.installed;
}

/** What the operator has logged. */
const logged = () => vi.mocked(console.log).mock.calls.join("\n");

/** "object: message", and how often if more than once. */
async function eventsOf(reason: string): Promise<string[]> {
  const { items } = await client.resource(events).namespace(namespace).list();
  return items
    .filter((event) => event.reason === reason)
    .map(
      ({ involvedObject, message, count }) =>
        `${involvedObject.name}: ${message}${count === 1 ? "" : ` (x${count})`}`,
    );
}

const removal = "one: tool was deleted; until the Pod is replaced it keeps ephemeral-busybox";

describe.each(versions)("%s", (_, start) => {
  async function startOperator(clock: Clock = createFakeClock()): Promise<void> {
    const real = createTransport(cluster.kubeConfig);
    const transport: Transport = {
      ...real,
      async request(request) {
        const write: (typeof writes)[number] = { ...request };
        if (request.method !== "GET") writes.push(write);
        intercept(request);
        const response = await real.request(request);
        write.resourceVersion = JSON.parse(Buffer.from(response.body).toString()).metadata?.resourceVersion;
        return response;
      },
      async stream(request) {
        if (!request.path.endsWith("/pods")) return real.stream(request);
        await online;
        if (!outage.signal.aborted) {
          const signals = [outage.signal, ...(request.signal ? [request.signal] : [])];
          return real.stream({ ...request, signal: AbortSignal.any(signals) });
        }
        if (!request.query?.sendInitialEvents)
          throw new ApiError({ code: 410, reason: "Expired", message: "too old resource version" });
        return real.stream(request);
      },
    };
    const operator = await start({ kubeConfig: cluster.kubeConfig, transport, clock, namespace });
    stopOperator = operator.stop;
  }

  test("serves the Pods of today and of tomorrow, counts them, and then writes nothing", async () => {
    await createPod("one");
    await createPod("other", { app: "store" });
    await startOperator();
    await createTool("tool", "busybox");
    await eventually(async () => expect(await installed("tool")).toBe(1));
    await createPod("two");
    await eventually(async () => expect(await installed("tool")).toBe(2));
    expect(await containersIn("two")).toEqual(["ephemeral-busybox busybox"]);
    expect(await containersIn("other")).toEqual([]);
    // A patch says what is added, and nothing about the rest of the Pod.
    const patches = writes.filter(({ path }) => path.endsWith("ephemeralcontainers"));
    const fields = patches.flatMap(({ body }) => Object.keys((body as Pod).spec ?? {}));
    expect(new Set(fields)).toEqual(new Set(["ephemeralContainers"]));

    await eventually(async () => expect(await eventsOf("ToolInstalled")).toHaveLength(2));
    const before = writes.length;
    await client
      .resource(pods)
      .namespace(namespace)
      .patch("one", { metadata: { labels: { seen: "yes" } } }, { type: "merge" });
    await client.resource(pods).namespace(namespace).delete("two", { gracePeriodSeconds: 0 });
    await eventually(async () => expect(await installed("tool")).toBe(1));
    // Every write since then was the status, and it changed the tool once. (A second one, out of a cache that has not
    // seen the first, may say the same again: the server stores nothing then.)
    await stopOperator();
    const since = writes.slice(before);
    expect(new Set(since.map(({ path }) => path.split("/").at(-1)))).toEqual(new Set(["status"]));
    expect(new Set(since.map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
  });

  test("a Pod that loses its label is no longer counted", async () => {
    await createPod("one");
    await createTool("tool", "busybox");
    await startOperator();
    await eventually(async () => expect(await installed("tool")).toBe(1));
    await podsHere().patch("one", { metadata: { labels: { app: null } } }, { type: "merge" });
    await eventually(async () => expect(await installed("tool")).toBe(0));
  });

  test("a status that is emptied is written again", async () => {
    await createPod("one");
    await createTool("tool", "busybox");
    await startOperator();
    await eventually(async () => expect(await installed("tool")).toBe(1));
    const tools = client.resource(podbuggertools).namespace(namespace);
    const { status: _, ...emptied } = await tools.get("tool");
    await tools.updateStatus(emptied);
    await eventually(async () => expect(await installed("tool")).toBe(1));
  });

  test("a Pod that is deleted while the watch is broken is no longer counted", async () => {
    await createPod("one");
    await createTool("tool", "busybox");
    // No wait of 120 s ends meanwhile.
    await startOperator(systemClock);
    await eventually(async () => expect(await installed("tool")).toBe(1));
    const end = Promise.withResolvers<void>();
    online = end.promise;
    outage.abort(new Error("socket hang up"));
    await podsHere().delete("one", { gracePeriodSeconds: 0 });
    end.resolve();
    await eventually(async () => expect(await installed("tool")).toBe(0));
  });

  test("two tools for one Pod, and a changed image, get containers of their own", async () => {
    await createPod("one");
    await createTool("first", "busybox:1.36");
    await createTool("second", "registry:5000/team/busybox:1.37");
    await startOperator();
    await eventually(async () => expect(await containersIn("one")).toHaveLength(2));
    // A strategic merge patch puts what is new in front.
    const names = (await containersIn("one")).map((container) => container.split(" ")[0]);
    expect(names.sort()).toEqual(["ephemeral-busybox", "ephemeral-busybox-2"]);
    await client
      .resource(podbuggertools)
      .namespace(namespace)
      .patch("first", { spec: { image: "nginx" } }, { type: "merge" });
    await eventually(async () => expect(await containersIn("one")).toContain("ephemeral-nginx nginx"));
    expect(await containersIn("one")).toHaveLength(3);
  });

  test("a restart forgets nothing: what happened meanwhile is caught up on, what was done is not done again", async () => {
    await createPod("one");
    await createTool("tool", "busybox");
    await startOperator();
    await eventually(async () => expect(await installed("tool")).toBe(1));
    await stopOperator();
    await client.resource(pods).namespace(namespace).delete("one", { gracePeriodSeconds: 0 });
    await createPod("replaced");
    await createPod("served-before");
    writes = [];
    await startOperator();
    await eventually(async () => expect(await installed("tool")).toBe(2));
    await stopOperator();
    writes = [];
    await startOperator();
    await createPod("stranger", { app: "store" });
    await createPod("last");
    await eventually(async () => expect(await installed("tool")).toBe(3));
    // More than one try, if the Pod changed meanwhile; but on nothing that was served before.
    const patched = writes
      .filter(({ path }) => path.endsWith("ephemeralcontainers"))
      .map(({ path }) => path.split("/").at(-2));
    expect(new Set(patched)).toEqual(new Set(["last"]));
  });

  test("a deleted tool leaves one Event on the Pods that keep its container", async () => {
    const asked: string[] = [];
    intercept = ({ path }) => void (path.endsWith("/events") && asked.push(path));
    const clock = createFakeClock();
    await createPod("one");
    // With a Pod that is not ready, the tool has an appointment in the queue when it goes.
    await createPod("broken", { image: "unknown/image:this" });
    await createTool("tool", "busybox");
    await startOperator(clock);
    await eventually(async () => expect(await installed("tool")).toBe(1));
    await client.resource(podbuggertools).namespace(namespace).delete("tool");
    await eventually(async () => expect(await eventsOf("ToolRemoved")).toEqual([removal]));
    await clock.advance(200_000);
    await client
      .resource(pods)
      .namespace(namespace)
      .patch("one", { metadata: { labels: { seen: "yes" } } }, { type: "merge" });
    await createTool("next", "nginx");
    await eventually(async () => expect(await containersIn("one")).toHaveLength(2));
    expect(await eventsOf("ToolRemoved")).toEqual([removal]);
    // A search of the whole cluster's Events would be a lot of work for the server.
    expect(new Set(asked)).toEqual(new Set([`/api/v1/namespaces/${namespace}/events`]));
  });

  test("a tool that was deleted while the operator was down is announced when it is back, once", async () => {
    await createPod("one");
    await createTool("tool", "busybox");
    await startOperator();
    await eventually(async () => expect(await installed("tool")).toBe(1));
    await stopOperator();
    await client.resource(podbuggertools).namespace(namespace).delete("tool");
    await startOperator();
    await eventually(async () => expect(await eventsOf("ToolRemoved")).toEqual([removal]));
    await stopOperator();
    await startOperator();
    await createTool("next", "nginx");
    await eventually(async () => expect(await containersIn("one")).toHaveLength(2));
    expect(await eventsOf("ToolRemoved")).toEqual([removal]);
  });

  test("only what runs is counted as installed", async () => {
    await createPod("one");
    await createTool("tool", "unknown/image:that");
    await startOperator();
    await eventually(async () => expect(await containersIn("one")).toHaveLength(1));
    await eventually(async () => expect(await installed("tool")).toBe(0));
    await client
      .resource(podbuggertools)
      .namespace(namespace)
      .patch("tool", { spec: { image: "busybox" } }, { type: "merge" });
    await eventually(async () => expect(await installed("tool")).toBe(1));
  });

  test("a Pod that never becomes ready delays no other Pod, is given up after 120 s, and tried again when it changes", async () => {
    const clock = createFakeClock();
    await createPod("broken", { image: "unknown/image:this" });
    await createTool("tool", "busybox");
    await startOperator(clock);
    await createPod("fine");
    await eventually(async () => expect(await containersIn("fine")).toHaveLength(1));
    await clock.advance(119_000);
    expect(await eventsOf("NotReady")).toEqual([]);
    await clock.advance(2_000);
    const given = ["broken: Not ready for 120 s: no tool is added until that changes"];
    await eventually(async () => expect(await eventsOf("NotReady")).toEqual(given));
    expect(logged()).toContain("gave up on broken");
    // Its status may change as it likes: given up is given up.
    const status = { status: { message: "still broken" } };
    await podsHere().patch("broken", status, { type: "merge", subresource: "status" });
    await clock.advance(300_000);
    expect(await eventsOf("NotReady")).toEqual(given);
    const images = { spec: { containers: [{ name: "main", image: "nginx:1.27" }] } };
    await client.resource(pods).namespace(namespace).patch("broken", images, { type: "strategic" });
    await eventually(async () => expect(await containersIn("broken")).toEqual(["ephemeral-busybox busybox"]));
  });

  test("a conflict is tried again; a Pod replaced under its name gets a container of its own", async () => {
    const clock = createFakeClock();
    await createPod("one");
    await createTool("tool", "busybox");
    let replaced: Promise<unknown> | undefined;
    intercept = ({ path }) => {
      if (replaced || !path.endsWith("ephemeralcontainers")) return;
      // The Pod in the operator's cache is gone by the time its patch arrives.
      replaced = client
        .resource(pods)
        .namespace(namespace)
        .delete("one", { gracePeriodSeconds: 0 })
        .then(() => createPod("one"));
      throw new ApiError({ code: 409, reason: "Conflict", message: "the object has been modified" });
    };
    await startOperator(clock);
    await eventually(() => expect(replaced).toBeDefined());
    await replaced;
    await eventually(async () => {
      await clock.advance(1_000);
      expect(await containersIn("one")).toEqual(["ephemeral-busybox busybox"]);
    });
    expect(await eventsOf("NotInstalled")).toEqual([]);
    expect(logged()).not.toContain("the object has been modified");
  });

  test("a rejection becomes an Event, delays no other Pod, and is tried again", async () => {
    const clock = createFakeClock();
    let allowed = false;
    await createPod("one");
    await createPod("two");
    await createTool("tool", "busybox");
    intercept = ({ path }) => {
      if (allowed || !path.includes("/one/ephemeralcontainers")) return;
      throw new ApiError({ code: 403, reason: "Forbidden", message: 'pods "one" is forbidden: not yours' });
    };
    await startOperator(clock);
    await eventually(async () => expect(await containersIn("two")).toHaveLength(1));
    await eventually(async () => expect(await installed("tool")).toBe(1));
    await eventually(async () => {
      const refusal = 'tool: Pod one: ApiError: pods "one" is forbidden: not yours';
      expect(await eventsOf("NotInstalled")).toEqual([expect.stringContaining(refusal)]);
    });
    expect(logged()).toContain("is forbidden: not yours");
    allowed = true;
    await eventually(async () => {
      await clock.advance(1_000);
      expect(await containersIn("one")).toHaveLength(1);
    });
  });
});
