import type { EnqueueOptions, ReconcileCause } from "@operator-path/controller-runtime";
import { TerminalError } from "@operator-path/controller-runtime";
import type { Scenario } from "../steps.ts";
import type { World } from "../world.ts";

interface Run {
  at: number;
  cause: ReconcileCause;
}

/**
 * Invariants 10, 11 and 13, with requests that only this judge adds: when each is reconciled, how often, and
 * why.
 */
export async function judgeCalmQueue(world: World, scenario: Scenario): Promise<void> {
  const { clock, problem, scripts } = world;
  const runs = new Map<string, Run[]>();
  const namespace = "script";
  const add = (name: string, options?: EnqueueOptions) =>
    world.operator()?.queue()?.add({ namespace, name }, options);
  const order: string[] = [];

  function script(
    name: string,
    act: (run: number, signal: AbortSignal) => Promise<number | undefined> | number | undefined,
  ) {
    const own: Run[] = [];
    runs.set(name, own);
    scripts.set(`${namespace}/${name}`, async (_, { cause, signal }) => {
      own.push({ at: clock.now(), cause });
      order.push(name);
      const requeueAfter = await act(own.length, signal);
      return requeueAfter === undefined ? undefined : { requeueAfter };
    });
    return own;
  }

  function block(name: string) {
    const gate = Promise.withResolvers<void>();
    const own = script(name, async (run) => {
      if (run === 1) await gate.promise;
      return undefined;
    });
    return { own, release: gate.resolve };
  }

  // 10: a key that is added while it is processed is processed once more, and not earlier.
  const { own: blocked, release } = block("blocked");
  add("blocked");
  await clock.advance(1);
  for (const object of ["first", "second", "third"])
    add("blocked", { cause: { trigger: "generic", object } });
  await clock.advance(1_000);
  if (blocked.length !== 1) problem(`10: ${blocked.length} reconciles of one key at a time`);
  release();
  await clock.advance(1_000);
  if (blocked.length !== 2)
    problem(`10: ${blocked.length - 1} reconciles of a key that was added three times meanwhile, not 1`);
  if (blocked[1] && blocked[1].cause.count !== 3)
    problem(`cause: three triggers are counted as ${blocked[1].cause.count}`);

  if (blocked[1] && blocked[1].cause.object !== "first")
    problem(`cause: the ${blocked[1].cause.object} of three triggers is reported`);

  // 11: one reconcile per key, the urgent ones first.
  const blocks = Array.from({ length: scenario.workers }, (_, index) => ({
    name: `block-${index}`,
    ...block(`block-${index}`),
  }));
  for (const { name } of blocks) add(name);
  await clock.advance(1);
  const line = ["low", "usual", "urgent"];
  for (const name of line) script(name, () => undefined);
  add("low", { priority: -100 });
  add("usual");
  add("urgent", { priority: 5 });
  for (let again = 0; again < 3; again++) add("usual");
  order.length = 0;
  for (const { release: go } of blocks) go();
  await clock.advance(1_000);
  const expected = scenario.priorityQueue ? [...line].reverse() : line;
  const came = order.filter((name) => line.includes(name));
  if (came.join() !== expected.join()) problem(`11: ${came} are reconciled instead of ${expected}`);

  // 11: the earliest delay.
  const late = script("late", () => undefined);
  const from = clock.now();
  add("late", { after: 60_000 });
  add("late", { after: 10_000 });
  add("late", { after: 30_000 });
  await clock.advance(120_000);
  if (late.length !== 1 || late[0]?.at !== from + 10_000) {
    problem(`11: added for 60, 10 and 30 s, reconciled after ${late.map(({ at }) => (at - from) / 1_000)} s`);
  }

  await judgeBackOff();

  // The signal aborts after the timeout, and not before.
  let aborted: boolean | undefined;
  script("slow", async (_, signal) => {
    await clock.sleep(3_000);
    aborted = signal.aborted;
    return undefined;
  });
  add("slow");
  await clock.advance(4_000);
  if (aborted !== (scenario.timeout !== undefined))
    problem(`a reconcile of 3 s, timeout ${scenario.timeout}: its signal ${aborted}`);
  // Others set timers as well.
  const quick = Array.from({ length: 6 }, (_, index) => `quick-${index}`);
  const timers = clock.pending();
  for (const name of quick) script(name, () => undefined);
  for (const name of quick) add(name);
  // Longer than the queue's metrics need, and less than the timeout.
  await clock.advance(1_500);
  const left = clock.pending() - timers;
  if (left >= quick.length) problem(`${quick.length} reconciles leave ${left} timers behind`);
  scripts.clear();

  /** 13: failures back off; a success or a TerminalError ends that; a TerminalError is not retried. */
  async function judgeBackOff(): Promise<void> {
    const failures = 5;
    const own = script("fail", (run) => {
      if (run === failures) throw new TypeError("a bug of the reconciler");
      if (run < failures || run === failures + 2 || run === failures + 4) throw new Error("not now");
      if (run === failures + 3) throw new TerminalError("never");
      return run === failures + 1 ? 7_000 : undefined;
    });
    add("fail");
    await clock.advance(60_000);
    add("fail");
    await clock.advance(60_000);
    // Failures double the wait. requeueAfter and a TerminalError end that. After a TerminalError only a new
    // request counts.
    const waits = [5, 10, 20, 40, 80, 7_000, 5, Number.NaN, 5];
    const retries = [0, 1, 2, 3, 4, 5, 0, 1, 0, 1];
    if (own.length !== retries.length) {
      problem(`13: ${own.length} reconciles instead of ${retries.length}`);
      return;
    }
    for (const [index, { at, cause }] of own.entries()) {
      if (cause.retries !== retries[index])
        problem(`13: reconcile ${index + 1} reports ${cause.retries} failures instead of ${retries[index]}`);
      const wait = waits[index - 1] ?? Number.NaN;
      const waited = at - (own[index - 1]?.at ?? 0);
      // The classic queue has an overall limit beside the back-off of each key.
      const isRight =
        Number.isNaN(wait) ||
        waited === wait ||
        (!scenario.priorityQueue && waited >= wait && waited <= wait + 2_000);
      if (!isRight)
        problem(`13: reconcile ${index + 1} comes ${waited} ms after the one before, not ${wait}`);
      const trigger = [0, failures + 3].includes(index)
        ? "generic"
        : index === failures + 1
          ? "requeueAfter"
          : "backoff";
      if (cause.trigger !== trigger)
        problem(`cause: reconcile ${index + 1} comes for ${cause.trigger}, not for ${trigger}`);
    }
  }
}
