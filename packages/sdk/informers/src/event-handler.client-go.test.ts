import type { ConfigMap } from "@operator-path/client";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventHandler } from "./event-handler.ts";
import { unwrapTombstone } from "./keys.ts";
import {
  added,
  createScriptedInformer,
  deleted,
  modified,
  nameOf,
  recorder,
  type ScriptedOptions,
} from "./testing/scripted-informer.ts";
import { type Answer, configMap, initialEventsEnd, refusal } from "./testing/scripted-source.ts";

// What client-go's tests of handlers guarantee (shared_informer_test.go, controller_test.go).

const expired: Answer = { refuse: refusal(410, "Expired") };

/** Returns an informer that lists these objects and then follows the script. */
function prepare(initial: ConfigMap[], after: Answer[] = [], options: ScriptedOptions = {}) {
  const ending = after.length === 0 ? "stay" : "end";
  const first: Answer = { events: [...initial.map(added), initialEventsEnd("9")], ending };
  return createScriptedInformer([first, ...after], options);
}

describe("event handlers", () => {
  test("calls a handler once per registration, and removes each registration separately and repeatedly", async () => {
    const { informer, server, start, pass } = prepare([configMap("a", "1")]);
    const events: string[] = [];
    const handler = recorder(events);
    const [first] = [informer.addEventHandler(handler), informer.addEventHandler(handler)];
    start();
    await pass();
    expect(events).toEqual(["initial a@1", "initial a@1"]);
    first.remove();
    first.remove();
    server.send(added(configMap("b", "11")));
    await pass();
    expect(events.slice(2)).toEqual(["added b@11"]);
  });

  test("calls a handler no more after it removes itself, or is removed by another, during an event", async () => {
    const { informer, start, pass } = prepare([configMap("a", "1"), configMap("b", "2")]);
    const events: string[] = [];
    const own = informer.addEventHandler({
      added(object) {
        events.push(`own ${nameOf(object)}`);
        own.remove();
        other.remove();
      },
    });
    const other = informer.addEventHandler({ added: (object) => events.push(`other ${nameOf(object)}`) });
    start();
    await pass();
    expect(events.filter((event) => event.startsWith("own"))).toEqual(["own a@1"]);
    expect(events.filter((event) => event.endsWith("b@2"))).toEqual([]);
    // Removed handlers are not waited for.
    await informer.waitForSync();
  });

  test("drops the queue of a handler that is removed while it is busy, and does not wait for it", async () => {
    const initial = [configMap("a", "1"), configMap("b", "2"), configMap("c", "3")];
    const { informer, start, pass } = prepare(initial);
    const events: string[] = [];
    const gate = Promise.withResolvers<void>();
    const busy: EventHandler<ConfigMap> = {
      added(object) {
        events.push(nameOf(object));
        return gate.promise;
      },
    };
    const early = informer.addEventHandler(busy);
    start();
    await pass();
    const late = informer.addEventHandler(busy);
    await pass();
    const synced = Promise.all([informer.waitForSync(), early.waitForSync(), late.waitForSync()]);
    await pass();
    early.remove();
    late.remove();
    await synced;
    gate.resolve();
    await pass();
    expect(events).toEqual(["a@1", "a@1"]);
  });

  test("reports an object that was deleted and created again under its name as two objects", async () => {
    const { informer, server, start, pass } = prepare(
      [configMap("a", "1"), configMap("b", "2")],
      [
        { events: [], ending: "end" },
        expired,
        {
          events: [
            added(configMap("a", "11", { uid: "other" })),
            added(configMap("b", "2")),
            initialEventsEnd("12"),
          ],
          ending: "stay",
        },
      ],
    );
    const events: string[] = [];
    informer.addEventHandler(recorder(events));
    start();
    await pass(10);
    server.send(modified(configMap("b", "13", { uid: "other" })));
    // A late event of the first b.
    server.send(deleted(configMap("b", "12")));
    await pass();
    expect(events.slice(2)).toEqual(["lost a@1", "added a@11", "lost b@2", "added b@13"]);
    expect(informer.lister.get("ns/b")?.metadata?.uid).toBe("other");
  });

  test("delivers all other events after a handler throws or rejects", async () => {
    const { informer, server, start, pass, log } = prepare([configMap("a", "1")]);
    const events: string[] = [];
    const fail = (what: string) => {
      events.push(`broken ${what}`);
      throw new Error("mine alone");
    };
    informer.addEventHandler({
      added: () => fail("added"),
      updated: async () => fail("updated"),
      deleted: () => fail("deleted"),
    });
    informer.addEventHandler(recorder(events));
    start();
    await pass();
    server.send(modified(configMap("a", "11")), deleted(configMap("a", "12")), added(configMap("b", "13")));
    await pass();
    const broken = events.filter((event) => event.startsWith("broken"));
    expect(broken.map((event) => event.slice(7))).toEqual(["added", "updated", "deleted", "added"]);
    expect(events.filter((event) => !event.startsWith("broken"))).toEqual([
      ...["initial a@1", "updated a@1 → a@11", "deleted a@12", "added b@13"],
    ]);
    expect(log.filter((line) => line.includes("mine alone"))).toHaveLength(4);
  });

  test("reports changes that happened while no watch was open", async () => {
    const events: [string[], string[]] = [[], []];
    const { informer, start, pass } = prepare(
      [configMap("a", "1"), configMap("b", "2")],
      [
        { refuse: new Error("connect ECONNREFUSED") },
        expired,
        {
          events: [added(configMap("b", "12")), added(configMap("c", "13")), initialEventsEnd("14")],
          ending: "stay",
        },
      ],
    );
    informer.addEventHandler(recorder(events[0]));
    informer.addEventHandler(recorder(events[1]));
    start();
    await pass(15);
    expect(events[0]).toEqual([
      ...["initial a@1", "initial b@2", "updated b@2 → b@12", "added c@13", "lost a@1"],
    ]);
    expect(events[1]).toEqual(events[0]);
  });

  test("delivers the cached objects at a resync, but no old states and no deleted objects", async () => {
    const { informer, server, start, pass } = prepare([configMap("a", "1"), configMap("b", "2")], [], {
      resyncMs: 60_000,
    });
    const events: string[] = [];
    informer.addEventHandler(recorder(events));
    start();
    await pass(59);
    server.send(modified(configMap("a", "11")), deleted(configMap("b", "12")));
    await pass(2);
    expect(events.slice(2)).toEqual(["updated a@1 → a@11", "deleted b@12", "updated a@11 → a@11"]);
  });

  test("reports each object once to a handler that is added at the start", async () => {
    for (const order of ["handler first", "run first"]) {
      const { informer, start, pass } = prepare([configMap("a", "1"), configMap("b", "2")]);
      const events: string[] = [];
      if (order === "run first") start();
      informer.addEventHandler(recorder(events));
      if (order === "handler first") start();
      await pass();
      expect(events).toEqual(["initial a@1", "initial b@2"]);
    }
  });

  test("allows the removal of handlers and reads of the cache after the informer has ended", async () => {
    const { informer, start, pass, end, cache } = prepare([configMap("a", "1")]);
    const registration = informer.addEventHandler({});
    start();
    await pass();
    await end();
    registration.remove();
    expect(cache()).toEqual(["a@1"]);
    await expect(informer.run(new AbortController().signal)).rejects.toThrow("it can run only once");
  });
});

test("delivers to each handler a gapless history that ends with the cached state", async () => {
  const step = fc.oneof(
    { weight: 8, arbitrary: fc.record({ name: fc.constantFrom("a", "b", "c"), remove: fc.boolean() }) },
    { weight: 2, arbitrary: fc.constantFrom("handler", "slow handler", "drop first", "drop last", "settle") },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom<("parsed" | "lazy")[]>("parsed", "lazy"),
      async (steps, store) => {
        const { informer, server, start, pass, settle, clock, end, log } = prepare(
          [configMap("a", "1")],
          [],
          {
            store,
          },
        );
        const handlers: { remove(): void; seen: Map<string, string> }[] = [];
        const wrong: string[] = [];
        const live = new Map<string, string>([["a", "1"]]);
        let version = 10;

        function add(slow: boolean): void {
          const seen = new Map<string, string>();
          let removed = false;
          const record = async (type: string, name = "", from?: string, to?: string) => {
            if (removed) wrong.push(`${type} ${name} after it was removed`);
            if (seen.get(name) !== from)
              wrong.push(`${type} ${name} from ${from}, but had ${seen.get(name)}`);
            if (to === undefined) seen.delete(name);
            else seen.set(name, to);
            if (slow) await clock.sleep(3);
          };
          const registration = informer.addEventHandler({
            added: ({ metadata }) => record("added", metadata?.name, undefined, metadata?.resourceVersion),
            updated: (old, { metadata }) =>
              record("updated", metadata?.name, old.metadata?.resourceVersion, metadata?.resourceVersion),
            deleted: (object) => {
              const name = unwrapTombstone(object).metadata?.name ?? "";
              return record("deleted", name, seen.get(name) ?? "something");
            },
          });
          handlers.push({
            seen,
            remove() {
              removed = true;
              registration.remove();
            },
          });
        }

        add(false);
        start();
        // An event that is sent before the watch is open reaches no watcher.
        await settle();
        for (const one of steps) {
          if (typeof one === "object") {
            const object = configMap(one.name, `${++version}`);
            if (!one.remove) server.send(live.has(one.name) ? modified(object) : added(object));
            else if (live.has(one.name)) server.send(deleted(object));
            if (one.remove) live.delete(one.name);
            else live.set(one.name, object.metadata.resourceVersion);
          } else if (one === "settle") await clock.advance(2);
          else if (one === "drop first") handlers.shift()?.remove();
          else if (one === "drop last") handlers.pop()?.remove();
          else add(one === "slow handler");
        }
        await pass(2);
        expect(wrong).toEqual([]);
        for (const { seen } of handlers) expect(seen).toEqual(live);
        expect(informer.hasSynced()).toBe(true);
        expect(log).toEqual([]);
        await end();
      },
    ),
    { numRuns: 150, seed: 20261121 },
  );
});
