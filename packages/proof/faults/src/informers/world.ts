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

/** All that a history happens in: a server, a network before it, and a witness of what is asked. */
export interface World {
  clock: FakeClock;
  random: Random;
  resource: Resource<Thing>;
  server: SimulatedServer;
  network: FaultyTransport;
  witness: Witness;
  /** The keys of each whole list that the client got. */
  lists: readonly ReadonlySet<string>[];
  /** Everybody was told to stop. */
  isOver: boolean;
  client: Client;
  problem(text: string): void;
  problems: string[];
  /** How often something went wrong. */
  faults: () => number;
  /** A line of the trace, made only if somebody wants to read it. */
  note(text: () => string): void;
  /** What the informer knows, for the oracle that bounds its requests. */
  known: () => string;
  /** Called whenever the client asks for something. */
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
    // One mistake makes many: the first few say what it was.
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
      { ...nobody, ...createRequestRate(known, problem) },
      resumption,
      { ...nobody, asked: () => world.onRequest() },
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

const nobody: WitnessListener = { asked() {}, refused() {}, listed() {}, heard() {}, streamEnded() {} };

function pathOfCollection({ group, version, plural }: Resource, namespace: string | undefined): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`;
}
