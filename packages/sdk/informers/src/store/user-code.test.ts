import type { ConfigMap } from "@operator-path/client";
import { describe, expect, test } from "vitest";
import { createScriptedInformer, type ScriptedOptions } from "../testing/scripted-informer.ts";
import { configMap } from "../testing/scripted-source.ts";

/** An informer of two objects, when it has synced: one list is all that any mistake of the user's may cost. */
async function synced(options: ScriptedOptions) {
  const list = [configMap("a", "5", { data: { value: "1" } }), configMap("b", "6")];
  const at = createScriptedInformer([{ list, version: "7" }], { watchList: false, ...options });
  at.start();
  await at.pass(30);
  expect([at.informer.hasSynced(), at.informer.health().lists]).toEqual([true, 1]);
  return at;
}

describe.each(["parsed", "lazy"] as const)("with the store %s", (store) => {
  test("a transform may add bytes, which cannot be frozen", async () => {
    const transform = (object: ConfigMap) => ({
      ...object,
      bytes: Buffer.from("x"),
      view: new Uint16Array(4),
    });
    const { informer, cache, log } = await synced({ store, transform });
    expect(cache()).toEqual(["a@5", "b@6"]);
    expect(Object.isFrozen(informer.lister.get("ns/a")?.metadata)).toBe(true);
    expect(log).toEqual([]);
  });

  test.each<[string, (object: ConfigMap) => unknown, RegExp]>([
    ["returns nothing", () => undefined, /the transform returned undefined instead of an object/],
    ["returns null", () => null, /the transform returned null instead of an object/],
    [
      "makes another object",
      ({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, uid: "mine" } }),
      /the transform changed metadata.uid/,
    ],
    [
      "renames the object that it was given",
      (object) => {
        if (object.metadata) object.metadata.name = "mine";
        return object;
      },
      /the transform changed metadata.name/,
    ],
  ])(
    "a transform that %s is told of once, and the objects are cached as they came",
    async (_, wrong, why) => {
      const transform = wrong as (object: ConfigMap) => ConfigMap;
      const { informer, cache, log } = await synced({ store, transform });
      expect(cache()).toEqual(["a@5", "b@6"]);
      expect(informer.lister.get("ns/a")).toMatchObject({ kind: "ConfigMap", data: { value: "1" } });
      expect(log).toEqual([expect.stringMatching(why)]);
    },
  );

  test("an index function that returns no array has said nothing of that object, and is told of once", async () => {
    const byValue = ({ data }: ConfigMap) => (data?.value ? [data.value] : undefined) as string[];
    const { informer, log } = await synced({ store, indexers: { byValue } });
    expect(informer.indexer.byIndex("byValue", "1")).toHaveLength(1);
    informer.addIndexers({ never: () => null as never });
    expect(informer.indexer.byIndex("never", "1")).toEqual([]);
    expect(log).toEqual([
      expect.stringContaining('the index "byValue" returned undefined instead of an array of strings'),
      expect.stringContaining('the index "never" returned null instead of an array of strings'),
    ]);
  });
});

test("an object nested too deeply to be frozen is cached all the same", async () => {
  const depth = 9_000;
  const deep = JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
  const transform = (object: ConfigMap) => ({ ...object, deep });
  const { cache, log } = await synced({ transform });
  expect(cache()).toEqual(["a@5", "b@6"]);
  expect(log.length).toBeLessThanOrEqual(1);
});
