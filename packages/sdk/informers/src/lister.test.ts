import type { ConfigMap } from "@operator-path/client";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { createLister } from "./lister.ts";
import { matchLabels } from "./selectors.ts";
import { createEntryStore } from "./store/entry-store.ts";
import { createScriptedInformer } from "./testing/scripted-informer.ts";
import { configMap } from "./testing/scripted-source.ts";

test("rejects an invalid selector, even for an empty cache", () => {
  const lister = createLister<ConfigMap>(createEntryStore<ConfigMap>({}, () => {}));
  expect(() => lister.list("a b c")).toThrow(SyntaxError);
  const matchExpressions = [{ key: "app", operator: "Is", values: ["web"] }];
  expect(() => lister.namespace("ns").list({ matchExpressions })).toThrow(
    '"Is" is not a label selector operator',
  );
});

test('lists all objects in the namespace ""', async () => {
  const other = configMap("b", "6", { metadata: { name: "b", namespace: "other", labels: { app: "web" } } });
  const at = createScriptedInformer([{ list: [configMap("a", "5"), other], version: "7" }], {
    watchList: false,
  });
  at.start();
  await at.settle();
  const { lister } = at.informer;
  expect(lister.namespace("").list()).toHaveLength(2);
  expect(lister.namespace("").list("app=web")).toHaveLength(1);
  expect(lister.namespace("ns").list()).toHaveLength(1);
  expect(lister.namespace("none").list()).toEqual([]);
});

describe("with the store lazy", () => {
  const pad = "x".repeat(2_000);
  const list = Array.from({ length: 300 }, (_, i) =>
    configMap(`c${i}`, "5", {
      data: { pad: `${pad}${i}` },
      metadata: { name: `c${i}`, labels: { app: `a${i % 100}`, tier: i % 2 ? "web" : "db" } },
    }),
  );
  const parses = (work: () => void) => {
    const spy = vi.spyOn(JSON, "parse");
    try {
      work();
      return spy.mock.calls.length;
    } finally {
      spy.mockRestore();
    }
  };

  test("does not parse compressed objects to rule out a selector", async () => {
    const at = createScriptedInformer([{ list, version: "7" }], {
      watchList: false,
      store: "lazy",
      coldAfterMs: 0,
    });
    at.start();
    await at.pass(60);
    const { lister } = at.informer;
    expect(parses(() => expect(lister.list("app=none-at-all,tier=web")).toEqual([]))).toBeLessThan(120);
    let found: ConfigMap[] = [];
    // The matching objects, a few whose sketch only looks the same, and the last ones, whose slab is never
    // compressed.
    expect(parses(() => (found = lister.list("app=a7,tier=web")))).toBeLessThan(150);
    expect(found.map(({ metadata }) => metadata?.name)).toEqual(["c7", "c107", "c207"]);
    const before = parses(() => lister.list("app=a8"));
    expect(parses(() => lister.list("app=a8"))).toBeLessThanOrEqual(before);
    expect(before).toBeLessThan(60);
  });

  test("returns exactly the matching objects, whatever label sketches exist", async () => {
    const at = createScriptedInformer([{ list, version: "7" }], {
      watchList: false,
      store: "lazy",
      coldAfterMs: 0,
    });
    at.start();
    await at.pass(60);
    const requirement = fc.record({
      key: fc.constantFrom("app", "tier", "none"),
      operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"),
      values: fc.array(fc.constantFrom("a1", "a2", "a99", "web", "db"), { maxLength: 3 }),
    });
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 3 }), (matchExpressions) => {
        const found = at.informer.lister.list({ matchExpressions }).map(({ metadata }) => metadata?.name);
        const right = list.filter(({ metadata }) =>
          matchLabels({ matchExpressions }, metadata.labels as Record<string, string>),
        );
        expect(found).toEqual(right.map(({ metadata }) => metadata.name));
      }),
    );
  });
});
