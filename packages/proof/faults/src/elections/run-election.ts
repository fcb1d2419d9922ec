import { createClientOn, type Lease, leases } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { createLeaderElector } from "@operator-path/informers";
import { createProcess } from "../process.ts";
import { createRandom } from "../random.ts";
import type { Outcome } from "../run/history-kind.ts";
import { createSimulatedServer } from "../server/simulated-server.ts";
import { createFaultyTransport } from "../transport/faulty-transport.ts";
import { type Election, type ElectionStep, theLeader } from "./draw-election.ts";

const lease = { namespace: "shop", name: "leader" };

/**
 * Runs several candidates on one server, each a process with its own clocks and network. Checks that at most
 * one acts, that one leads after the last fault, and that a stopped candidate gives the Lease back.
 */
export async function runElection(election: Election, trace?: (line: string) => void): Promise<Outcome> {
  const clock = createFakeClock();
  const begun = clock.now();
  const random = createRandom(`${election.seed} election`);
  const server = createSimulatedServer({
    clock,
    random: random.fork("server"),
    resources: [{ resource: leases, builtIn: true }],
  });
  const problems: string[] = [];
  const note = (text: string) => trace?.(`${((clock.now() - begun) / 1_000).toFixed(3)} ${text}`);
  let acts = 0;
  let changes = 0;
  let last = -1;
  let isOver = false;

  const candidates = election.candidates.map(({ rate, offset }, index) => {
    const own = createProcess(clock, { rate, offset, random: random.fork(`process ${index}`) });
    const onFault = (text: string) => note(`FAULT ${index}: ${text}`);
    const network = createFaultyTransport(server, {
      clock,
      random: random.fork(`network ${index}`),
      onFault,
    });
    const draw = random.fork(`candidate ${index}`);
    const client = createClientOn(own.through(network));
    const enlist = (life: number) => {
      const identity = `candidate-${index}.${life}`;
      const elector = createLeaderElector(client, {
        lease,
        identity,
        clock: own.clock,
        random: draw.next,
        log: (line) => note(`LOG ${identity}: ${line}`),
      });
      return { identity, elector };
    };
    const self = { index, own, network, ...enlist(0), stop: new AbortController(), signal: stopped };

    async function work(signal: AbortSignal): Promise<void> {
      self.signal = signal;
      while (!signal.aborted) {
        act(index);
        await own.clock.sleep(100 + draw.next() * 900, signal).catch(() => {});
      }
    }

    async function live(): Promise<void> {
      for (let life = 1; !isOver; life++) {
        self.stop = new AbortController();
        await self.elector
          .run(work, self.stop.signal)
          .catch((error: unknown) => note(`ENDED ${index}: ${error}`));
        if (isOver) return;
        await own.clock.sleep(1_000);
        // Some processes keep their name after a restart, as in a StatefulSet. Most do not.
        if (draw.chance(0.5)) Object.assign(self, enlist(life));
      }
    }

    return Object.assign(self, { life: live() });
  });

  function act(index: number): void {
    acts++;
    if (last !== index) {
      changes++;
      note(`ACTS ${index}`);
    }
    last = index;
    for (const other of candidates) {
      if (other.index === index) continue;
      const at = ((clock.now() - begun) / 1_000).toFixed(3);
      // The flag comes first: asking the elector makes it look at its clock.
      if (!other.own.blocked && !isAborted(other.signal)) {
        problems.push(`at ${at} s candidate ${index} acts, and ${other.index} was not stopped`);
      }
      if (other.elector.isLeader()) {
        problems.push(`at ${at} s candidate ${index} acts, and ${other.index} would`);
      }
    }
  }

  function holder(): string | undefined {
    const object = server.revisions.get(leases.plural, `${lease.namespace}/${lease.name}`) as
      | Lease
      | undefined;
    return object?.spec?.holderIdentity;
  }

  async function perform(step: ElectionStep): Promise<void> {
    note(`STEP ${JSON.stringify(step)}`);
    const who = "who" in step ? step.who : 0;
    const candidate = candidates[who === theLeader ? last : who];
    switch (step.do) {
      case "wait":
        await clock.advance(step.ms);
        break;
      case "fault":
        candidate?.network.arm("any", step.fault, step.times);
        break;
      case "block":
        candidate?.own.block();
        break;
      case "resume":
        candidate?.own.resume();
        break;
      case "restart":
        // A blocked process receives its signal when it runs again.
        candidate?.own.clock.setTimeout(() => candidate.stop.abort(new Error("SIGTERM")), 0);
        break;
      case "touch":
        if (holder() !== undefined) {
          const labels = { touched: String(clock.now()) };
          server.writes(leases).mergePatch(lease.namespace, lease.name, { metadata: { labels } });
        }
        break;
    }
  }

  for (const step of election.steps) await perform(step);
  note("HEALED");
  for (const { network, own } of candidates) {
    network.heal();
    own.resume();
  }
  await clock.advance(120_000);
  const leaders = candidates.filter(({ elector }) => elector.isLeader());
  if (leaders.length !== 1) problems.push(`${leaders.length} candidates lead in the end`);
  else if (holder() !== leaders[0]?.identity) problems.push(`${holder()} holds the Lease in the end`);
  isOver = true;
  for (const { stop } of candidates) stop.abort(new Error("the election is over"));
  await clock.advance(30_000);
  if (holder()) problems.push(`${holder()} was stopped, and has kept the Lease`);
  if (clock.pending() > 0) problems.push(`${clock.pending()} timers are left behind`);
  let ended = 0;
  for (const { life } of candidates) void life.then(() => ended++);
  await clock.advance(1);
  if (ended < candidates.length) problems.push(`${candidates.length - ended} candidates do not end`);
  const counts = { changes, acts };
  return { problems: problems.slice(0, 10), counts, simulated: clock.now() - begun };
}

/** The signal of a candidate that has not worked yet. */
const stopped = AbortSignal.abort();

/** Reads the flag itself. The signal of a term looks at the clock when it is read. */
function isAborted(signal: AbortSignal): boolean {
  return Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")?.get?.call(signal) as boolean;
}
