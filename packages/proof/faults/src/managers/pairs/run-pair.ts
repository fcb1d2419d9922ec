import { deployments, type Lease, leases, type Transport } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { createProcess, freezePerformanceNow, type Process } from "../../process.ts";
import { createRandom } from "../../random.ts";
import type { Outcome } from "../../run/history-kind.ts";
import { createSimulatedServer } from "../../server/simulated-server.ts";
import { createFaultyTransport, type FaultyTransport } from "../../transport/faulty-transport.ts";
import { createJudgedServer } from "../judged-server.ts";
import { createReconcileJudge } from "../judges/judge-reconciles.ts";
import { createWriteJudge } from "../judges/judge-writes.ts";
import { wrong } from "../judges/wrong.ts";
import { createLife, isEffect, type Life } from "../life.ts";
import { type Operator, startOperator } from "../operator.ts";
import { createOutside } from "../outside.ts";
import { change } from "../perform.ts";
import { type Records, sites } from "../reference/site.ts";
import { type Pair, type PairStep, theLeader } from "./draw-pair.ts";

/** One of the two machines of an operator. It runs one process after the other. */
interface Machine {
  readonly index: number;
  readonly own: Process;
  readonly network: FaultyTransport;
  identity: string;
  operator: Operator | undefined;
}

/** The time limit for one of the two to complete all work. */
const patience = 10 * 60_000;

/**
 * Two managers of one operator with one Lease, on machines whose clocks, networks and event loops fail. A
 * process that acts, in the cluster or outside of it, must hold the Lease. All other invariants hold as for
 * one manager. After the last fault, one of the two does the work.
 */
export async function runPair(pair: Pair, trace?: (line: string) => void): Promise<Outcome> {
  const { scenario } = pair;
  const clock = createFakeClock();
  const begun = clock.now();
  const random = createRandom(`${pair.seed} pair`);
  const note = (line: string) => trace?.(`${((clock.now() - begun) / 1_000).toFixed(3)} ${line}`);
  const problems: string[] = [];
  const problem = (text: string) => {
    note(`✗ ${text}`);
    if (problems.length < 10 && !problems.includes(text)) problems.push(text);
  };
  const server = createSimulatedServer({
    ...{ clock, random: random.fork("server"), replicas: 2 },
    resources: [
      { resource: sites },
      { resource: deployments, builtIn: true },
      { resource: leases, builtIn: true },
    ],
    ...{ bookmarkEvery: 60_000, lifecycle: { collectAfter: scenario.collectAfter } },
  });
  const writes = createWriteJudge(server, problem);
  const judged = createJudgedServer({ server, judge: writes, note });
  const outside = createOutside({
    ...{ clock, onSet: writes.recordSet, onRemove: writes.recordRemoved },
  });
  outside.delay(pair.slow);
  const counts = { acts: 0, changes: 0, lives: 0, lost: 0 };
  const seconds = () => ((clock.now() - begun) / 1_000).toFixed(1);
  let last = "";
  let isOver = false;

  const holder = () => (server.truth(leases)[0] as Lease | undefined)?.spec?.holderIdentity ?? "";

  /** Called when a request leaves a process. The time from there to the server does not count. */
  function act(identity: string, what: string): void {
    counts.acts++;
    if (last !== identity) {
      counts.changes++;
      note(`ACTS ${identity}`);
    }
    last = identity;
    if (holder() !== identity)
      problem(
        `18: at ${seconds()} s ${identity} acts, and ${holder() ? `${holder()} has the Lease` : "the Lease is free"}: ${what}`,
      );
  }

  function begin(machine: Machine): void {
    if (isOver) return;
    counts.lives++;
    const identity = `machine-${machine.index}.${counts.lives}`;
    machine.identity = identity;
    note(`BEGINS ${identity}`);
    const judge = createReconcileJudge(server, problem);
    const life = createLife(machine.own.clock, machine.own.through(machine.network), () => {});
    const own = startOperator({
      ...{ life, identity, scenario, judge, note },
      transport: actingTransport(life, identity),
      records: actingRecords(life, machine.own, identity),
      random: random.fork(identity),
      script: () => undefined,
    });
    machine.operator = own;
    const next = (error?: Error) => {
      if (life.isDead) return;
      note(`ENDED ${identity}${error ? `: ${error}` : ""}`);
      if (error?.name === "LeadershipLostError") counts.lost++;
      else if (error && !mayEnd(error)) problem(`${identity} ended with ${error}`);
      // The rest of the process goes on until the process has ended.
      machine.own.clock.setTimeout(
        () => {
          life.exit();
          if (machine.operator === own) begin(machine);
        },
        error ? pair.dying : 0,
      );
    };
    own.ended.then(() => next(), next);
  }

  function actingTransport(life: Life, identity: string): Transport {
    return {
      ...life.transport,
      request(request) {
        if (!life.isDead && isEffect(request)) {
          writes.sent(request);
          act(identity, `${request.method} ${request.path}`);
        }
        return life.transport.request(request);
      },
    };
  }

  function actingRecords(life: Life, own: Process, identity: string): Records {
    const effect = <T>(run: () => Promise<T>) =>
      life.effect(() => {
        act(identity, "a record");
        return own.arrive(run());
      });
    return outside.client({ look: (run) => life.look(() => own.arrive(run())), effect });
  }

  const machines = pair.processes.map(({ rate, offset }, index): Machine => {
    const own = createProcess(clock, { rate, offset, random: random.fork(`process ${index}`) });
    const network = createFaultyTransport(judged, {
      ...{ clock, random: random.fork(`network ${index}`) },
      onFault: (what) => note(`FAULT ${index}: ${what}`),
    });
    return { index, own, network, identity: "", operator: undefined };
  });

  async function perform(step: Exclude<PairStep, { do: "wait" }>): Promise<void> {
    if (step.do === "change") {
      change({ server, outside, clock }, step.change);
      return;
    }
    const { who } = step;
    const machine =
      who === theLeader ? machines.find(({ identity }) => identity === holder()) : machines[who];
    if (!machine) return;
    const { own, network, operator } = machine;
    switch (step.do) {
      case "pause":
        own.block();
        break;
      case "resume":
        // The leader may have changed since the pause.
        for (const each of machines) await each.own.wake();
        break;
      case "partition":
        network.breakStreams({ how: "silence" });
        network.arm("any", { kind: "silent", committed: random.chance(0.3) }, 1_000);
        break;
      case "heal":
        for (const each of machines) each.network.heal();
        break;
      case "fault":
        network.arm("any", step.fault, step.times);
        break;
      case "jump":
        own.jump(step.ms);
        break;
      case "restart":
        // A paused process receives its signal when it runs again.
        own.clock.setTimeout(() => operator?.stop(), 0);
        break;
      case "kill":
        if (!operator) return;
        operator.life.exit();
        own.resume();
        machine.operator = undefined;
        clock.setTimeout(() => begin(machine), step.down);
    }
  }

  const onRejection = (reason: unknown) => problem(`unhandled rejection: ${reason}`);
  process.on("unhandledRejection", onRejection);
  const unfreeze = freezePerformanceNow(clock.steady);
  try {
    for (const machine of machines) begin(machine);
    for (const step of pair.steps) {
      note(`STEP ${JSON.stringify(step)}`);
      if (step.do === "wait") await clock.advance(step.ms);
      else await perform(step);
    }
    note("HEALED");
    outside.heal();
    for (const replica of server.replicas) replica.catchUp();
    for (const { network, own } of machines) {
      network.heal();
      await own.wake();
    }
    const recovery = await converge();
    await end();
    return { problems, counts, simulated: clock.now() - begun, recovery };
  } finally {
    unfreeze();
    process.off("unhandledRejection", onRejection);
  }

  async function converge(): Promise<number> {
    let found: string | undefined = "nothing was checked";
    let waited = 0;
    for (; waited < patience && found; waited += 5_000) {
      await clock.advance(5_000);
      found = wrong({ server, outside });
    }
    if (found) problem(`${patience / 60_000} minutes after the last fault, ${found}`);
    await clock.advance(120_000);
    const still = wrong({ server, outside });
    if (still) problem(`the state became wrong again: ${still}`);
    if (!machines.some(({ identity }) => identity === holder()))
      problem(`no running manager has the Lease in the end: its holder is ${JSON.stringify(holder())}`);
    return waited;
  }

  async function end(): Promise<void> {
    isOver = true;
    let ended = 0;
    for (const { operator } of machines) {
      if (!operator) continue;
      operator.stop();
      void operator.ended.then(() => ended++);
    }
    await clock.advance(60_000);
    if (ended < machines.length) problem(`12: ${machines.length - ended} managers do not end`);
    if (holder()) problem(`19: ${holder()} was stopped, and has kept the Lease`);
    if (server.watching > 0) problem(`12: ${server.watching} watches are left open`);
    if (clock.pending() > 0) problem(`12: ${clock.pending()} timers are left behind`);
  }
}

/**
 * A single manager may end like this, too: after a watch that is silent for two minutes, or without an answer
 * at shutdown.
 */
function mayEnd({ message }: Error): boolean {
  return /failed to wait for .* to sync|grace period/.test(message);
}
