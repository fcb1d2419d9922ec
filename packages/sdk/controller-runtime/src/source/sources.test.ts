import { deployments } from "@operator-path/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { metadataOnly } from "../client/metadata-only.ts";
import { memcached, memcacheds } from "../controller/testing/memcached.ts";
import { createMemoryCluster } from "../controller/testing/memory-cluster.ts";
import { createTestManager } from "../controller/testing/test-manager.ts";
import { enqueueRequestForObject } from "../handler/enqueue-request-for-object.ts";
import { enqueueRequestsFromMapFunc } from "../handler/enqueue-requests-from-map-func.ts";
import { generationChanged } from "../predicate/changed.ts";
import { newPredicateFuncs } from "../predicate/predicate.ts";
import { channelSource, createChannel } from "./channel.ts";

test("predicates of a watch and of the controller drop events", async () => {
  const { clock, server, manager: create } = createMemoryCluster();
  const { manager, run } = create();
  const calls: string[] = [];
  newControllerManagedBy(manager)
    .for(memcacheds, { predicates: [generationChanged] })
    .watches(deployments, enqueueRequestForObject)
    .withEventFilter(newPredicateFuncs(({ metadata }) => metadata?.namespace !== "kube-system"))
    .complete(({ namespace, name }, { cause }) => {
      calls.push(`${cause.trigger} ${cause.resource} ${namespace}/${name}`);
    });
  run();
  await clock.advance(100);
  const writes = server.writes(memcacheds);
  const object = writes.create({ ...memcached("a") });
  server.writes(deployments).create({ metadata: { namespace: "kube-system", name: "dns" } });
  server.writes(deployments).create({ metadata: { namespace: "default", name: "web" } });
  await clock.advance(100);
  writes.update(
    { ...object, metadata: { ...object.metadata, resourceVersion: "" }, status: { nodes: ["x"] } },
    true,
  );
  await clock.advance(100);
  writes.mergePatch("default", "a", { spec: { size: 7 } });
  await clock.advance(100);
  expect(calls).toEqual([
    "added Memcached default/a",
    "added Deployment default/web",
    "updated Memcached default/a",
  ]);
});

test("a metadata-only watch requests and stores nothing else", async () => {
  const { clock, server, manager: create } = createMemoryCluster();
  server.writes(memcacheds).create({ ...memcached("a") });
  const { manager, run } = create();
  const seen: unknown[] = [];
  newControllerManagedBy(manager)
    .for(metadataOnly(memcacheds), {
      // @ts-expect-error: the compiler knows that there is no spec
      predicates: [({ object }) => object.spec === undefined],
    })
    .watchesMetadata(deployments, (event, queue) => {
      seen.push(Object.keys(event.object).toSorted());
      queue.add({ namespace: "", name: "from a Deployment" });
    })
    .complete(async (request) => {
      if (request.namespace === "") return;
      seen.push(await manager.client.get(metadataOnly(memcacheds), request));
    });
  run();
  await clock.advance(100);
  server
    .writes(deployments)
    .create({ metadata: { namespace: "default", name: "web" }, spec: { replicas: 1 } });
  await clock.advance(100);
  expect(seen[0]).toMatchObject({ metadata: { name: "a", namespace: "default" } });
  expect(seen[0]).not.toHaveProperty("spec");
  expect(seen[1]).toEqual(["apiVersion", "kind", "metadata"]);
  expect(server.watching).toBe(2);
});

test("watches do not parse objects that they do not read", async () => {
  const { clock, server, manager: create } = createMemoryCluster();
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  const parsed = () => parse.mock.calls.filter(([text]) => String(text).includes('"spec"')).length;
  const { manager, run } = create({ cache: { store: "lazy" } });
  const calls: string[] = [];
  newControllerManagedBy(manager)
    .for(memcacheds, { predicates: [generationChanged] })
    .complete(({ name }) => void calls.push(name));
  run();
  server.writes(memcacheds).create({ ...memcached("a") });
  await clock.advance(1_000);
  server.writes(memcacheds).mergePatch("default", "a", { spec: { size: 2 } });
  await clock.advance(1_000);
  expect([calls.length, parsed()]).toEqual([2, 0]);
  await manager.client.get(memcacheds, { namespace: "default", name: "a" });
  expect(parsed()).toBe(1);
});

test("logs a handler that throws, and continues with the next event", async () => {
  const { manager, clock, run, lines } = createTestManager();
  const channel = createChannel<{ name: string }>();
  const reconciled: string[] = [];
  newControllerManagedBy(manager)
    .named("test")
    .watchesRawSource(
      channelSource(
        channel,
        enqueueRequestsFromMapFunc<{ name: string }>(async ({ name }) => {
          if (name === "bad") throw new Error("no such thing");
          return [{ namespace: "", name }];
        }),
      ),
    )
    .complete(({ name }) => void reconciled.push(name));
  run();
  await clock.advance(0);
  for (const name of ["a", "bad", "b"]) channel.send({ name });
  await clock.advance(0);
  expect(reconciled).toEqual(["a", "b"]);
  expect(lines("An event handler failed and will receive the event again")).toMatchObject([
    { controller: "test", error: "no such thing", event: "generic" },
  ]);
});

test("a handler that never returns does not block other controllers of the resource", async () => {
  const { clock, server, manager: create } = createMemoryCluster();
  server.writes(memcacheds).create({ ...memcached("a") });
  const { manager, run } = create();
  const reconciled: string[] = [];
  newControllerManagedBy(manager)
    .named("stuck")
    .watches(memcacheds, () => new Promise(() => {}))
    .complete(() => {});
  newControllerManagedBy(manager)
    .for(memcacheds)
    .complete(({ name }) => void reconciled.push(name));
  run();
  await clock.advance(1_000);
  expect(reconciled).toEqual(["a"]);
});

test("passes an event to a failing handler again, after others, until it succeeds", async () => {
  const { clock, server, manager: create } = createMemoryCluster();
  const { manager, run, lines } = create();
  const reconciled: string[] = [];
  let failures = 5;
  newControllerManagedBy(manager)
    .named("test")
    .watches(
      memcacheds,
      enqueueRequestsFromMapFunc(async ({ metadata: { name = "" } = {} }) => {
        if (name === "a" && failures-- > 0) throw new Error("the server is busy");
        return [{ namespace: "", name }];
      }),
    )
    .complete(({ name }, { cause }) => void reconciled.push(`${name}: ${cause.trigger} ${cause.object}`));
  run();
  await clock.advance(0);
  server.writes(memcacheds).create({ ...memcached("a") });
  server.writes(memcacheds).create({ ...memcached("b") });
  await clock.advance(100);
  expect(reconciled).toEqual(["b: added default/b"]);
  await clock.advance(10_000);
  expect(reconciled).toEqual(["b: added default/b", "a: added default/a"]);
  expect(lines("An event handler failed and will receive the event again")).toHaveLength(5);
});

test("does not retry an event after a programming error in its handler", async () => {
  const { clock, server, manager: create } = createMemoryCluster();
  const { manager, run, lines } = create();
  let calls = 0;
  newControllerManagedBy(manager)
    .named("test")
    .watches(memcacheds, ({ object }) => {
      calls++;
      String((object.status as { nodes: string[] }).nodes.length);
    })
    .complete(() => {});
  run();
  await clock.advance(0);
  server.writes(memcacheds).create({ ...memcached("a") });
  await clock.advance(3_600_000);
  expect(calls).toBe(1);
  expect(lines("An event handler failed and the event is lost")).toMatchObject([{ object: "default/a" }]);
});

test("aborts a waiting handler when the controller ends, and gives it the controller's log", async () => {
  const { clock, server, manager: create } = createMemoryCluster();
  const { manager, run, lines } = create();
  newControllerManagedBy(manager)
    .named("test")
    .watches(
      memcacheds,
      enqueueRequestsFromMapFunc(async (_, { signal, log }) => {
        log.info("asking a server that never answers");
        await clock.sleep(1_000_000, signal);
        return [];
      }),
    )
    .complete(() => {});
  const { stop, ended } = run();
  await clock.advance(0);
  server.writes(memcacheds).create({ ...memcached("a") });
  await clock.advance(10);
  expect(lines("asking a server that never answers")).toMatchObject([{ controller: "test" }]);
  stop();
  await clock.advance(10);
  await ended;
  expect(lines().filter(({ level }) => level === "error")).toEqual([]);
});
