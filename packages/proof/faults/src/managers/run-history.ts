import { freezePerformanceNow } from "../process.ts";
import type { Outcome } from "../run/history-kind.ts";
import { judgeCalmQueue } from "./judges/calm-queue.ts";
import { judgeCalmWrites } from "./judges/calm-writes.ts";
import { wrong } from "./judges/wrong.ts";
import { perform } from "./perform.ts";
import type { History } from "./steps.ts";
import { createWorld, type World } from "./world.ts";

/** The time limit of the recovery after the last fault: a silent watch, a Lease, back-off, a period. */
const patience = 30 * 60_000;

/** Runs a history, then judges it. `trace` receives one line for each thing that happens. */
export async function runHistory(history: History, trace?: (line: string) => void): Promise<Outcome> {
  const world = createWorld(history, trace);
  const { clock, problem, judge, counts } = world;
  const begun = clock.now();
  const onRejection = (reason: unknown) => problem(`unhandled rejection: ${reason}`);
  process.on("unhandledRejection", onRejection);
  const unfreeze = freezePerformanceNow(clock.steady);
  try {
    world.begin(0);
    for (const step of history.steps) {
      world.note(`STEP ${JSON.stringify(step)}`);
      if (step.do === "wait") await clock.advance(step.ms);
      else perform(world, step);
    }
    heal(world);
    const recovery = await converge(world);
    await silence(world);
    await judgeCalmWrites(world);
    await judgeCalmQueue(world, history.scenario);
    await end(world);
    return {
      problems: world.problems,
      counts: {
        ...{
          reconciles: judge.count,
          requests: counts.requests,
          writes: counts.writes,
          refused: counts.refused,
        },
        ...{ faults: counts.faults, crashes: counts.crashes },
      },
      simulated: clock.now() - begun,
      recovery,
    };
  } finally {
    unfreeze();
    process.off("unhandledRejection", onRejection);
  }
}

function heal(world: World): void {
  world.note("HEALED");
  world.network.heal();
  world.outside.heal();
  for (const replica of world.server.replicas) replica.catchUp();
  world.operator()?.life.crashAt({ after: Number.POSITIVE_INFINITY, when: "before" });
}

async function converge(world: World): Promise<number> {
  const { clock, problem } = world;
  let found: string | undefined = "nothing was checked";
  let waited = 0;
  for (; waited < patience && found; waited += 15_000) {
    await clock.advance(15_000);
    found = wrong(world);
  }
  if (found) problem(`${patience / 60_000} minutes after the last fault, ${found}`);
  return waited;
}

/** Invariant 14: the right state stays, and no write maintains it. */
async function silence(world: World): Promise<void> {
  const { clock, problem, counts, judge } = world;
  const { period } = world;
  // By then, back-offs are over and silent watches were abandoned.
  await clock.advance(period + 600_000);
  const writes = counts.writes;
  const reconciles = judge.count;
  await clock.advance(6 * period);
  if (counts.writes > writes) problem(`14: ${counts.writes - writes} writes although everything is in order`);
  const found = wrong(world);
  if (found) problem(`14: the state became wrong again: ${found}`);
  const watched = world.settled();
  if (judge.count - reconciles < 5 * watched || judge.count - reconciles > 7 * watched) {
    problem(`13: ${judge.count - reconciles} reconciles of ${watched} sites in 6 periods`);
  }
}

/** Invariant 12: running work finishes, no new work starts, and nothing is left. */
async function end(world: World): Promise<void> {
  const { clock, problem, counts, judge, server, scripts } = world;
  const operator = world.operator();
  if (!operator) return problem("12: no process runs");
  let isFinished = false;
  scripts.set("script/last", async () => {
    await clock.sleep(2_000);
    isFinished = true;
    return undefined;
  });
  const poke = (name: string) => operator.queue()?.add({ namespace: "script", name });
  poke("last");
  await clock.advance(1_000);
  let hasEnded = false;
  void operator.ended.then(() => {
    hasEnded = true;
    if (!isFinished) problem("12: the manager has ended before its last reconcile");
  });
  world.restart(undefined);
  await clock.advance(500);
  const { count } = judge;
  poke("another");
  if (hasEnded) problem("12: the manager does not wait for a running reconcile");
  await clock.advance(29_500);
  if (!hasEnded) problem("12: the manager does not end");
  if (judge.count > count) problem(`12: ${judge.count - count} reconciles begin after SIGTERM`);
  if (judge.active > 0) problem(`12: ${judge.active} reconciles run`);
  const { requests } = counts;
  if (server.watching > 0) problem(`12: ${server.watching} watches are left open`);
  if (clock.pending() > 0) problem(`12: ${clock.pending()} timers are left behind`);
  await clock.advance(60_000);
  if (counts.requests > requests) problem(`12: ${counts.requests - requests} requests after the end`);
  const lease = world.lease();
  if (lease) problem(`19: ${lease} was stopped, and has kept the Lease`);
}
