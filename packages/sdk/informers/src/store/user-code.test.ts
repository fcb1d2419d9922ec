import type { ConfigMap } from "@operator-path/client";
import { describe, expect, test } from "vitest";
import { createScriptedInformer, type ScriptedOptions } from "../testing/scripted-informer.ts";
import { configMap } from "../testing/scripted-source.ts";

/** Returns a synced informer of two objects. No mistake in user code may cost more than one list. */
async function synced(options: ScriptedOptions) {
  const list = [configMap("a", "5", { data: { value: "1" } }), configMap("b", "6")];
  const at = createScriptedInformer([{ list, version: "7" }], { watchList: false, ...options });
  at.start();
  await at.pass(30);
  expect([at.informer.hasSynced(), at.informer.health().lists]).toEqual([true, 1]);
  return at;
}

describe.each(["parsed", "lazy"] as const)("with the store %s", (store) => {
  test("caches an object to which a transform added bytes, which cannot be frozen", async () => {
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
      "returns a different object",
      ({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, uid: "mine" } }),
      /the transform changed metadata.uid/,
    ],
    [
      "renames its object",
      (object) => {
        if (object.metadata) object.metadata.name = "mine";
        return object;
      },
      /the transform changed metadata.name/,
    ],
  ])("reports a transform that %s once, and caches the objects untransformed", async (_, wrong, why) => {
    const transform = wrong as (object: ConfigMap) => ConfigMap;
    const { informer, cache, log } = await synced({ store, transform });
    expect(cache()).toEqual(["a@5", "b@6"]);
    expect(informer.lister.get("ns/a")).toMatchObject({ kind: "ConfigMap", data: { value: "1" } });
    expect(log).toEqual([expect.stringMatching(why)]);
  });

  test("reports an index function that returns no array once, and leaves the objects out", async () => {
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

test("caches an object that is nested too deeply to freeze", async () => {
  const depth = 9_000;
  const deep = JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
  const transform = (object: ConfigMap) => ({ ...object, deep });
  const { cache, log } = await synced({ transform });
  expect(cache()).toEqual(["a@5", "b@6"]);
  expect(log.length).toBeLessThanOrEqual(1);
});
