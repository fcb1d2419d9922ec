import { type Client, type Clock, namespaces, systemClock } from "@operator-path/client";
import { createSharedInformer } from "@operator-path/informers";
import { startTcpProxy, type TcpProxy } from "../../proxy/tcp-proxy.ts";
import { createRandom } from "../../random.ts";
import { difference } from "../compare.ts";
import { createRecorder, type Recorder } from "../recorder.ts";
import type { RealHistory, Step } from "./draw.ts";
import { kinds } from "./kinds.ts";
import type { Target } from "./target.ts";
import { createWriter } from "./writer.ts";

/** Milliseconds after which a half-open connection is abandoned. */
const silence = 1_000;
/** The time limit for cache and handlers to equal the list after the faults, on a busy machine. */
const patience = 90_000;
/** Slow handlers take a twentieth of their simulated time: there, time costs nothing. */
const quick: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };

export interface RealOutcome {
  /** Broken promises, one sentence each; empty if all were kept. */
  readonly problems: readonly string[];
  /** Connections of the informer, through the proxy. */
  readonly connections: number;
  /** Events that handlers received. */
  readonly events: number;
}

/** @param direct reaches the target past all faults */
export async function runRealHistory(
  history: RealHistory,
  target: Target,
  direct: Client,
): Promise<RealOutcome> {
  const problems = new Set<string>();
  const random = createRandom(`handlers ${history.seed}`);
  const namespace = `history-${history.seed}-${(runs++).toString(36)}`;
  const writer = createWriter(direct, history.kind, namespace);
  await direct
    .resource(namespaces)
    .create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (let object = 0; object < history.prefilled; object++) await writer.put(object, object);

  const proxy = await startTcpProxy({ port: target.port, fate: history.fate });
  const client = target.connect({ userAgent: "informer", timeout: silence }, proxy.port);
  const { store, watchList, pageSize, coldAfterMs } = history;
  const informer = createSharedInformer(client, kinds[history.kind], {
    ...{ namespace, store, watchList, pageSize, coldAfterMs, silence },
    log: () => {},
  });
  const recorders = history.handlers.map((kind, index) => {
    const options = {
      name: `${index}`,
      kind,
      clock: quick,
      random: random.fork(`${index}`),
      onEvent: () => {},
    };
    const recorder = createRecorder({ ...options, onProblem: (problem) => problems.add(problem) });
    informer.addEventHandler(recorder.handler);
    return recorder;
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);

  for (const step of history.steps) await perform(step, writer, proxy);
  proxy.heal();
  const truth = await writer.list();
  const metadataOnly = store === "metadata";
  const differs = () => {
    const how = { metadataOnly, managedFields: false };
    const cached = difference(informer.lister.list(), truth, how);
    if (cached) return `the cache: ${cached}`;
    return recorders.map((recorder) => differenceOf(recorder, truth, how)).find(Boolean);
  };
  const until = systemClock.now() + patience;
  while (differs() && systemClock.now() < until) await systemClock.sleep(20);
  const problem = differs();
  if (problem) {
    const { lastError, ...health } = informer.health();
    const state = `${JSON.stringify(health)}, ${lastError?.message ?? "no error"}`;
    problems.add(`${problem} (after ${patience / 1_000} s; ${state})`);
  }

  stop.abort();
  await running;
  await client.close();
  await proxy.close();
  const events = recorders.reduce((sum, recorder) => sum + recorder.events, 0);
  return { problems: [...problems], connections: proxy.accepted, events };
}

let runs = 0;

function differenceOf(
  { name, state, busy }: Recorder,
  truth: Parameters<typeof difference>[1],
  how: Parameters<typeof difference>[2],
): string | undefined {
  const found = difference(state.values(), truth, how);
  return found ? `handler ${name}: ${found}` : busy ? `handler ${name} is still busy` : undefined;
}

async function perform(step: Step, writer: ReturnType<typeof createWriter>, proxy: TcpProxy): Promise<void> {
  switch (step.do) {
    case "write":
      return writer.write(step);
    case "wait":
      return systemClock.sleep(step.ms);
    case "reset":
      return proxy.reset();
    case "silence":
      return proxy.silence();
    case "refuse":
      return proxy.refuse(step.refusing);
  }
}
