import { freezePerformanceNow } from "../process.ts";
import type { Outcome } from "../run/history-kind.ts";
import { type Actors, atWork, createActors } from "./actors.ts";
import { namespaces } from "./objects.ts";
import { perform } from "./perform.ts";
import type { History } from "./steps.ts";
import { createWorld, type World } from "./world.ts";

/**
 * The time limit of the recovery after the last fault: a silent watch, a Retry-After of a minute, back-off.
 */
const patience = 600_000;

/** Runs a history, then judges it. `trace` receives one line for each thing that happens. */
export async function runHistory(history: History, trace?: (line: string) => void): Promise<Outcome> {
  const world = createWorld(history, trace);
  const { clock, problem, witness, server } = world;
  const begun = clock.now();
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => void rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  const unfreeze = freezePerformanceNow(clock.steady);
  try {
    const actors = createActors(world, history);
    for (const step of history.steps) {
      world.note(() => `STEP ${JSON.stringify(step)}`);
      if (step.do === "add handler") actors.addHandler(step.kind);
      else if (step.do === "remove handler") actors.removeHandler(step.index);
      else if (step.do === "wait") {
        actors.begin();
        await clock.advance(step.ms);
      } else perform(world, step);
      actors.look();
    }
    actors.begin();
    world.note(() => "HEALED");
    world.network.heal();
    for (const replica of server.replicas) replica.catchUp();
    const recovery = await converge(world, actors, "after the last fault");
    // A cache may be right because nothing has changed, so the informer has to receive further changes.
    for (let object = 0; object < 2 * namespaces.length; object++) {
      perform(world, { do: "write", op: object === 0 ? "delete" : "put", object, value: 7 });
    }
    await converge(world, actors, "after the last writes");
    await actors.end();
    await clock.advance(0);
    if (clock.pending() > 0) problem(`${clock.pending()} timers are left behind`);
    if (witness.open > 0) problem(`${witness.open} requests or streams are left open`);
    if (server.watching > 0) problem(`${server.watching} watches are left open at the server`);
    for (const reason of rejections) problem(`unhandled rejection: ${reason}`);
    return {
      problems: world.problems,
      counts: {
        requests: witness.seen.length,
        faults: world.faults(),
        events: actors.recorders.reduce((sum, { events }) => sum + events, 0),
      },
      simulated: clock.now() - begun,
      recovery,
    };
  } finally {
    unfreeze();
    process.off("unhandledRejection", onRejection);
  }
}

async function converge(world: World, actors: Actors, what: string): Promise<number> {
  const { clock, problem } = world;
  let wrong: string | undefined = "nothing was checked";
  let waited = 0;
  for (; waited < patience && wrong; waited += 5_000) {
    await clock.advance(5_000);
    actors.look();
    wrong = actors.wrong();
  }
  if (wrong) {
    problem(`${patience / 1_000} s ${what}, ${wrong}`);
    return waited;
  }
  const written = actors.writes();
  await clock.advance(30_000);
  actors.look();
  let still = actors.wrong();
  // A resync makes slow handlers busy again, for a while.
  for (let turn = 0; turn < 100 && still?.endsWith(atWork); turn++) {
    await clock.advance(50);
    still = actors.wrong();
  }
  if (still) problem(`the state became wrong again: ${still}`);
  if (actors.writes() > written) problem("the controller writes although nothing has changed");
  return waited;
}
