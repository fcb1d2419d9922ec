import { type Client, createClientOn, type Resource } from "@operator-path/client";
import { createFakeClock, type FakeClock } from "@operator-path/client/testing";
import { createRandom, type Random } from "../random.ts";
import { createSimulatedServer, type SimulatedServer } from "../server/simulated-server.ts";
import { createFaultyTransport, type FaultyTransport } from "../transport/faulty-transport.ts";
import { mirrors } from "./mirror.ts";
import { type Thing, things, widgets } from "./objects.ts";
import { createRequestRate } from "./request-rate.ts";
import { createResumption } from "./resumption.ts";
import type { History } from "./steps.ts";
import { createWitness, type Witness, type WitnessListener } from "./witness.ts";

/** The parts of a history: a server, a network in front of it, and a witness of the requests. */
export interface World {
  clock: FakeClock;
  random: Random;
  resource: Resource<Thing>;
  server: SimulatedServer;
  network: FaultyTransport;
  witness: Witness;
  /** The keys of each whole list that the client received. */
  lists: readonly ReadonlySet<string>[];
  /** True once the informer was stopped. */
  isOver: boolean;
  client: Client;
  problem(text: string): void;
  problems: string[];
  /** The number of faults that happened. */
  faults: () => number;
  /** Adds a line to the trace. `text` is called only if there is a trace. */
  note(text: () => string): void;
  /** The version of the informer, which bounds its requests. */
  known: () => string;
  /** Called with each request of the client. */
  onRequest: () => void;
}

export function createWorld({ seed, scenario }: History, trace: ((line: string) => void) | undefined): World {
  const clock = createFakeClock();
  const random = createRandom(seed);
  const begun = clock.now();
  const resource = scenario.custom ? widgets : things;
  const problems: string[] = [];
  let faults = 0;
  const note: World["note"] = (text) => trace?.(`${((clock.now() - begun) / 1_000).toFixed(3)} ${text()}`);
  const problem = (text: string) => {
    // One mistake causes many problems: the first few are enough.
    if (problems.length < 10) problems.push(text);
    note(() => `PROBLEM ${text}`);
  };
  const server = createSimulatedServer({
    clock,
    random: random.fork("server"),
    resources: [{ resource }, { resource: mirrors }],
    watchList: scenario.watchList === "not asked for" ? "refused" : scenario.watchList,
    replicas: scenario.replicas,
    expireTokens: scenario.expireTokens,
  });
  const network = createFaultyTransport(server, {
    clock,
    random: random.fork("network"),
    pieces: scenario.pieces,
    onFault(description) {
      faults++;
      note(() => `FAULT ${description}`);
    },
  });
  const known = () => world.known();
  const resumption = createResumption(() => world.isOver, problem);
  const witness = createWitness(network, {
    clock,
    collection: pathOfCollection(resource, scenario.namespace),
    note,
    asReadable: scenario.nodeStreams,
    listeners: [
      { ...ignore, ...createRequestRate(known, problem) },
      resumption,
      { ...ignore, asked: () => world.onRequest() },
    ],
  });
  const world: World = {
    clock,
    random,
    resource,
    server,
    network,
    witness,
    lists: resumption.lists,
    isOver: false,
    client: createClientOn(witness),
    problem,
    problems,
    faults: () => faults,
    note,
    known: () => "",
    onRequest: () => {},
  };
  return world;
}

const ignore: WitnessListener = { asked() {}, refused() {}, listed() {}, event() {}, streamEnded() {} };

function pathOfCollection({ group, version, plural }: Resource, namespace: string | undefined): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}
