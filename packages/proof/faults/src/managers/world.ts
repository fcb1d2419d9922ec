import { deployments, type Lease, leases, type Transport } from "@operator-path/client";
import { createFakeClock, type FakeClock } from "@operator-path/client/testing";
import { createRandom } from "../random.ts";
import { createSimulatedServer, type SimulatedServer } from "../server/simulated-server.ts";
import { createFaultyTransport, type FaultyTransport } from "../transport/faulty-transport.ts";
import { createJudgedServer } from "./judged-server.ts";
import { createReconcileJudge, type ReconcileJudge } from "./judges/judge-reconciles.ts";
import { createWriteJudge } from "./judges/judge-writes.ts";
import { createLife, isEffect } from "./life.ts";
import { type Operator, type Reconcile, startOperator } from "./operator.ts";
import { createOutside, type Outside } from "./outside.ts";
import { type Site, sites } from "./reference/site.ts";
import type { History } from "./steps.ts";

/** The parts of a history. */
export interface World {
  readonly clock: FakeClock;
  readonly server: SimulatedServer;
  readonly network: FaultyTransport;
  readonly outside: Outside;
  /** Milliseconds between two checks of a site. */
  readonly period: number;
  readonly judge: ReconcileJudge;
  readonly problems: string[];
  readonly counts: {
    requests: number;
    writes: number;
    refused: number;
    faults: number;
    lives: number;
    crashes: number;
  };
  problem(text: string): void;
  note(line: string): void;
  /** The number of sites that are reconciled periodically. */
  settled(): number;
  /** The holder of the Lease; "" without one. */
  lease(): string;
  /** The running process; undefined between two processes. */
  operator(): Operator | undefined;
  /** Starts a process after so many milliseconds. */
  begin(after: number): void;
  /** Sends SIGTERM, and starts another process after so many milliseconds, if given. */
  restart(after: number | undefined): void;
  /** Milliseconds between the next end of a process and the start of another. */
  downFor(milliseconds: number): void;
  /** Reconcilers of requests that the reference does not know. */
  scripts: Map<string, Reconcile>;
  /** Called after each successful write of the operator. */
  onWritten: ((key: string) => void) | undefined;
  /** Called with each request of the operator when it is sent. */
  onSent: ((method: string, path: string) => void) | undefined;
}

export function createWorld(history: History, trace?: (line: string) => void): World {
  const { scenario } = history;
  const clock = createFakeClock();
  const random = createRandom(`${history.seed} world`);
  const begun = clock.now();
  const note = (line: string) => trace?.(`${((clock.now() - begun) / 1_000).toFixed(3)} ${line}`);
  const problems: string[] = [];
  const problem = (text: string) => {
    note(`✗ ${text}`);
    if (problems.length < 10 && !problems.includes(text)) problems.push(text);
  };
  const counts = { requests: 0, writes: 0, refused: 0, faults: 0, lives: 0, crashes: 0 };
  const server = createSimulatedServer({
    ...{ clock, random: random.fork("server"), watchList: scenario.watchList, replicas: scenario.replicas },
    resources: [
      { resource: sites },
      { resource: deployments, builtIn: true },
      { resource: leases, builtIn: true },
    ],
    ...{
      bookmarkEvery: scenario.watchList === "ignored" ? 60_000 : 300_000,
      lifecycle: { collectAfter: scenario.collectAfter },
    },
  });
  const writes = createWriteJudge(server, problem);
  const judge = createReconcileJudge(server, problem);
  const judged = createJudgedServer({
    ...{ server, judge: writes, note },
    onRefused: () => counts.refused++,
    onWritten: (key) => world.onWritten?.(key),
  });
  const network = createFaultyTransport(judged, {
    ...{ clock, random: random.fork("network") },
    onFault(what) {
      counts.faults++;
      note(`FAULT ${what}`);
    },
  });
  const outside = createOutside({
    clock,
    onSet(name, record) {
      note(`RECORD ${name} ${JSON.stringify(record)}`);
      writes.recordSet(name, record);
    },
    onRemove(name, uid) {
      note(`RECORD ${name} of ${uid} removed`);
      writes.recordRemoved(name, uid);
    },
  });
  let operator: Operator | undefined;
  let down = 0;

  function begin(): void {
    counts.lives++;
    const identity = `life-${counts.lives}`;
    note(`BEGINS ${identity}`);
    judge.reset();
    const life = createLife(clock, network, () => {
      counts.crashes++;
      note(`KILLED ${identity}`);
      judge.reset();
      operator = undefined;
      world.begin(down);
    });
    const transport: Transport = {
      ...life.transport,
      request(request) {
        if (!life.isDead) {
          counts.requests++;
          if (isEffect(request)) {
            counts.writes++;
            writes.sent(request);
            world.onSent?.(request.method, request.path);
          }
        }
        return life.transport.request(request);
      },
    };
    const own = startOperator({
      ...{ life, identity, scenario, transport, judge, note },
      records: outside.client(life),
      random: random.fork(identity),
      script: ({ namespace, name }) => world.scripts.get(`${namespace}/${name}`),
    });
    operator = own;
    own.ended.then(
      () => note(`ENDED ${identity}`),
      (error: Error) => {
        if (life.isDead) return;
        note(`ENDED ${identity}: ${error}`);
        if (!mayEnd(error)) problem(`12: the manager ended with ${error}`);
        if (operator === own) {
          operator = undefined;
          life.exit();
          judge.reset();
          world.begin(down);
        }
      },
    );
  }

  /** Whether a manager may end with this error. */
  function mayEnd({ name, message }: Error): boolean {
    if (name === "LeadershipLostError") return true;
    // A reconciler that ignores its signal may wait for an answer that never arrives.
    if (/grace period/.test(message)) return !scenario.heedsSignal && counts.faults > 0;
    // As in Go, a watch that is silent for two minutes ends a manager that starts.
    return /failed to wait for .* to sync/.test(message) && counts.faults > 0;
  }

  const world: World = {
    ...{ clock, server, network, outside, judge, problems, counts, problem, note },
    period: scenario.period,
    settled: () =>
      (server.truth(sites) as Site[]).filter(
        ({ metadata, spec }) => !metadata?.deletionTimestamp && (spec?.size ?? 0) >= 0,
      ).length,
    lease: () => (server.truth(leases)[0] as Lease | undefined)?.spec?.holderIdentity ?? "",
    scripts: new Map(),
    onWritten: undefined,
    onSent: undefined,
    operator: () => operator,
    begin(after) {
      clock.setTimeout(begin, after);
    },
    downFor(milliseconds) {
      down = milliseconds;
    },
    restart(after) {
      const own = operator;
      if (!own) return;
      operator = undefined;
      own.stop();
      const exit = () => {
        if (own.life.isDead) return;
        own.life.exit();
        judge.reset();
        if (after !== undefined) world.begin(after);
      };
      own.ended.then(() => {
        if (judge.active > 0) problem(`12: the manager has ended, and ${judge.active} reconciles run`);
        exit();
      }, exit);
    },
  };
  return world;
}
