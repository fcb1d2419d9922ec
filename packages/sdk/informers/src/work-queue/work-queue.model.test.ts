import { createFakeClock, type FakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMetricsRegistry, type MetricsRegistry } from "../testing/metrics-registry.ts";
import { exponentialFailureRateLimiter } from "./rate-limiter.ts";
import { createPriorityQueue, createWorkQueue, type WorkQueue } from "./work-queue.ts";

/** The specification as simple code: plain lists, sorted on each access. */
interface Model {
  readonly oneEntry: boolean;
  now: number;
  next: number;
  line: Entry[];
  delayed: (Entry & { at: number })[];
  working: Map<string, Entry | undefined>;
  failures: Map<string, number>;
  /** Number of pending calls of get. */
  waiting: number;
  given: Given[];
  adds: number;
  state: "open" | "draining" | "shut" | "closed";
  drains: number;
  drained: number;
}

interface Entry {
  key: string;
  priority: number;
  order: number;
}

type Given = [key: string, priority: number] | undefined;

interface Real {
  queue: WorkQueue<string>;
  clock: FakeClock;
  registry: MetricsRegistry;
  given: Given[];
  drained: { count: number };
}

const rank = (a: Entry, b: Entry) => b.priority - a.priority || a.order - b.order;

function addNow(model: Model, key: string, priority: number, order = model.next++): void {
  const known = model.working.get(key) ?? model.line.find((entry) => entry.key === key);
  if (known) {
    if (priority > known.priority) Object.assign(known, { priority, order });
    return;
  }
  model.adds++;
  const entry = { key, priority, order };
  if (model.working.has(key)) model.working.set(key, entry);
  else model.line.push(entry);
}

function handOut(model: Model): void {
  model.line.sort(rank);
  while (model.waiting > 0) {
    const first = model.state === "closed" ? undefined : model.line.shift();
    if (!first && model.state === "open") break;
    model.waiting--;
    model.given.push(first && [first.key, first.priority]);
    if (first) model.working.set(first.key, undefined);
  }
  const left = model.state === "closed" ? 0 : model.line.length;
  if (model.state !== "open" && model.working.size === 0 && left === 0) endDrains(model);
}

function endDrains(model: Model): void {
  model.drained += model.drains;
  model.drains = 0;
}

function addDue(model: Model): void {
  model.delayed.sort((a, b) => a.at - b.at || rank(a, b));
  for (let first = model.delayed[0]; first && first.at <= model.now; first = model.delayed[0]) {
    model.delayed.shift();
    addNow(model, first.key, first.priority);
    handOut(model);
  }
}

/** Applies a step to the model, then to the queue. Everything observable must be equal. */
class Step implements fc.AsyncCommand<Model, Real> {
  readonly name: string;
  readonly onModel: (model: Model) => void;
  readonly onQueue: (real: Real) => unknown;
  constructor(name: string, onModel: (model: Model) => void, onQueue: (real: Real) => unknown) {
    this.name = name;
    this.onModel = onModel;
    this.onQueue = onQueue;
  }
  check = () => true;
  toString = () => this.name;
  async run(model: Model, real: Real): Promise<void> {
    this.onModel(model);
    handOut(model);
    await this.onQueue(real);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    expect(seenOfQueue(real)).toEqual(seenOfModel(model));
  }
}

/** The result of a step, and the readable state after it. */
function seenOfModel(model: Model) {
  const again = [...model.working.values()].filter((entry) => entry !== undefined);
  const depths: Record<string, number> = {};
  for (const { priority } of [...model.line, ...again]) depths[priority] = (depths[priority] ?? 0) + 1;
  return {
    given: model.given.splice(0),
    drained: model.drained,
    shuttingDown: model.state !== "open",
    length: model.line.length + (model.oneEntry ? again.length : 0),
    adds: model.adds,
    depths,
  };
}

function seenOfQueue({ queue, given, drained, registry }: Real): ReturnType<typeof seenOfModel> {
  const depths: Record<string, number> = {};
  for (const priority of [-1, 0, 1, 2]) {
    const depth = registry.value(`workqueue_depth{name="q",priority="${priority}"}`);
    if (depth) depths[priority] = Number(depth);
  }
  return {
    given: given.splice(0),
    drained: drained.count,
    shuttingDown: queue.shuttingDown,
    length: queue.length,
    adds: Number(registry.value('workqueue_adds_total{name="q"}')),
    depths,
  };
}

const keys = fc.constantFrom("a", "b", "c", "d");

const add = fc
  .record({
    key: keys,
    priority: fc.constantFrom(undefined, -1, 0, 1, 2),
    after: fc.constantFrom(undefined, undefined, undefined, 0, 5, 7, 20),
    rateLimited: fc.constantFrom(undefined, undefined, true),
  })
  .map(
    ({ key, ...options }) =>
      new Step(
        `add ${key} ${JSON.stringify(options)}`,
        (model) => {
          const { priority = 0, rateLimited } = options;
          let after: number = options.after ?? 0;
          if (rateLimited) {
            const failures = model.failures.get(key) ?? 0;
            model.failures.set(key, failures + 1);
            const limit = Math.min(100, 5 * 2 ** failures);
            if (after === 0 || limit < after) after = limit;
          }
          if (model.state !== "open") return;
          const inLine = model.working.get(key) ?? model.line.find((entry) => entry.key === key);
          const delay = model.delayed.find((entry) => entry.key === key);
          if (after > 0 && !(model.oneEntry && inLine)) {
            const wanted = { key, priority, order: model.next++, at: model.now + after };
            if (!delay) model.delayed.push(wanted);
            else {
              delay.at = Math.min(delay.at, wanted.at);
              if (priority > delay.priority) Object.assign(delay, { priority, order: wanted.order });
            }
            return;
          }
          if (!model.oneEntry || !delay) return addNow(model, key, priority);
          model.delayed.splice(model.delayed.indexOf(delay), 1);
          if (delay.priority >= priority) addNow(model, key, delay.priority, delay.order);
          else addNow(model, key, priority);
        },
        ({ queue }) => queue.add(key, options),
      ),
  );

const get = fc.constant(
  new Step(
    "get",
    (model) => {
      model.waiting++;
    },
    ({ queue, given }) => {
      queue.getWithPriority().then((item) => given.push(item && [item.key, item.priority]));
    },
  ),
);

const done = keys.map(
  (key) =>
    new Step(
      `done ${key}`,
      (model) => {
        const again = model.working.get(key);
        model.working.delete(key);
        if (again) model.line.push(model.oneEntry ? again : { ...again, order: model.next++ });
      },
      ({ queue }) => queue.done(key),
    ),
);

const advance = fc.integer({ min: 1, max: 30 }).map(
  (milliseconds) =>
    new Step(
      `advance ${milliseconds}`,
      (model) => {
        model.now += milliseconds;
        addDue(model);
      },
      ({ clock }) => clock.advance(milliseconds),
    ),
);

const forget = keys.map(
  (key) =>
    new Step(
      `forget ${key}`,
      (model) => void model.failures.delete(key),
      ({ queue }) => queue.forget(key),
    ),
);

const shutDown = fc.constant(
  new Step(
    "shutDown",
    (model) => {
      model.delayed = [];
      model.state = model.oneEntry ? "closed" : "shut";
      handOut(model);
      endDrains(model);
    },
    ({ queue }) => queue.shutDown(),
  ),
);

const drain = fc.constant(
  new Step(
    "shutDownWithDrain",
    (model) => {
      model.delayed = [];
      if (model.state === "open") model.state = "draining";
      model.drains++;
    },
    ({ queue, drained }) => {
      queue.shutDownWithDrain().then(() => drained.count++);
    },
  ),
);

const often = [add, add, add, add, add, get, get, get, get, done, done, done, done, advance, advance, forget];

describe.each([
  ["createWorkQueue", createWorkQueue, false],
  ["createPriorityQueue", createPriorityQueue, true],
] as const)("%s matches the model", (_, create, oneEntry) => {
  test.each([
    ["while the queue is open", often, 600],
    ["with shutdown and drain", [...often, shutDown, drain], 600],
  ] as const)("%s", async (__, commands, numRuns) => {
    await fc.assert(
      fc.asyncProperty(fc.commands([...commands], { maxCommands: 50, size: "max" }), async (steps) => {
        const clock = createFakeClock();
        const registry = createMetricsRegistry();
        const rateLimiter = exponentialFailureRateLimiter<string>({ base: 5, max: 100 });
        const queue = create<string>({ clock, rateLimiter, name: "q", metrics: registry });
        const setup = () => ({
          model: {
            ...{ oneEntry, now: clock.now(), next: 0, line: [], delayed: [], waiting: 0, given: [] },
            ...{ working: new Map(), failures: new Map(), adds: 0, state: "open", drains: 0, drained: 0 },
          } satisfies Model as Model,
          real: { queue, clock, registry, given: [], drained: { count: 0 } } satisfies Real as Real,
        });
        await fc.asyncModelRun(setup, steps);
        queue.shutDown();
        expect(clock.pending()).toBe(0);
      }),
      { numRuns, seed: 20261121 },
    );
  });
});
