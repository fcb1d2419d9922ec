import {
  type ConfigMap,
  configMaps,
  defineResource,
  type KubeObject,
  type Resource,
} from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test } from "vitest";
import { createSharedInformerOn, type SharedInformerOptions } from "./shared-informer.ts";
import { configMap, createScriptedSource, initialEventsEnd, refusal } from "./testing/scripted-source.ts";

const bookmark = (resourceVersion: string) => ({
  type: "BOOKMARK" as const,
  object: { metadata: { resourceVersion } },
});

function start(script: ReturnType<typeof createScriptedSource>, options: SharedInformerOptions<ConfigMap>) {
  const informer = createSharedInformerOn(script.source, configMaps, { log: () => {}, ...options });
  const stop = new AbortController();
  const run = informer.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await run;
  });
  return informer;
}

test.each([
  ["a list", false],
  ["a stream of initial objects", true],
])("reports progress after the cache has made it: %s, an event, a bookmark", async (_, watchList) => {
  const first = configMap("a", "3");
  const script = createScriptedSource([
    watchList
      ? { events: [{ type: "ADDED", object: first }, initialEventsEnd("5")], ending: "stay" }
      : { list: [first], version: "5" },
  ]);
  const steps: [string, number][] = [];
  const informer = start(script, {
    watchList,
    progressed: (version) => steps.push([version, informer.lister.list().length]),
  });
  await informer.waitForSync();
  await expect.poll(script.open).toBe(1);
  script.send({ type: "ADDED", object: configMap("b", "6") }, bookmark("9"));
  await expect.poll(informer.lastSyncResourceVersion).toBe("9");
  expect(steps).toEqual([
    ["5", 1],
    ["6", 2],
    ["9", 2],
  ]);
});

test("indexes existing and new objects with indexers that are added late", async () => {
  const named = (name: string, version: string, app: string) => ({
    ...configMap(name, version),
    metadata: { ...configMap(name, version).metadata, labels: { app } },
  });
  const script = createScriptedSource([
    { list: [named("a", "1", "x"), named("b", "2", "y")], version: "5" },
    { events: [], ending: "stay" },
  ]);
  const informer = start(script, {
    watchList: false,
    indexers: { name: ({ metadata }) => [metadata?.name ?? ""] },
  });
  await informer.waitForSync();
  informer.addIndexers({ app: ({ metadata }) => [metadata?.labels?.app ?? ""] });
  const apps = (app: string) => informer.indexer.byIndex("app", app).map(({ metadata }) => metadata?.name);
  expect([apps("x"), apps("y")]).toEqual([["a"], ["b"]]);
  await expect.poll(script.open).toBe(1);
  script.send(
    { type: "MODIFIED", object: named("a", "6", "y") },
    { type: "DELETED", object: named("b", "7", "y") },
    { type: "ADDED", object: named("c", "8", "x") },
  );
  await expect.poll(informer.lastSyncResourceVersion).toBe("8");
  expect([apps("x"), apps("y")]).toEqual([["c"], ["a"]]);
  expect(informer.indexer.byIndex("name", "a")).toHaveLength(1);
  expect(() => informer.addIndexers({ app: () => [] })).toThrow('the index "app" already exists');
  expect(() => informer.addIndexers({ namespace: () => [] })).toThrow(RangeError);
});

const things = defineResource({
  ...{ group: "example.com", version: "v1", kind: "Thing", plural: "things", namespaced: true },
});

test.each([
  [
    things,
    404,
    " (does the server have things in example.com/v1? If not, apply the CustomResourceDefinition things.example.com)",
  ],
  [configMaps, 404, " (does the server have configmaps in v1?)"],
  [things, 403, ""],
])("%s: logs what to check after a %i", async (resource, code, hint) => {
  const stop = new AbortController();
  const first = Promise.withResolvers<string>();
  const { source } = createScriptedSource([{ refuse: refusal(code, "no") }]);
  const informer = createSharedInformerOn(source, resource as Resource<KubeObject>, {
    ...{ clock: createFakeClock(), random: () => 1, watchList: false, log: first.resolve },
  });
  const run = informer.run(stop.signal);
  expect(await first.promise).toBe(`informer of ${resource.plural}: ${code} no; trying again${hint}`);
  stop.abort();
  await run;
});
