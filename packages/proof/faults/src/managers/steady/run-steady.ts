import { createTransport, deployments, type Transport } from "@operator-path/client";
import { createFakeClock, type FakeClock } from "@operator-path/client/testing";
import {
  createManager,
  createScheme,
  type Logger,
  newControllerManagedBy,
} from "@operator-path/controller-runtime";
import { createOutside } from "../outside.ts";
import { createSiteReconciler } from "../reference/reconcile-site.ts";
import { type Site, sites } from "../reference/site.ts";
import { type SentRequest, startSiteCluster } from "./site-cluster.ts";

export interface SteadyOptions {
  objects: number;
  /** Hours of the fake clock, after everything has settled. */
  hours: number;
  /** Called now and then with the progress. */
  onProgress?(what: string): void;
}

export interface SteadyOutcome {
  problems: string[];
  /** Writes of the operator until everything had settled, without its Lease and the Event about it. */
  writesToSettle: number;
  /** Writes after that: to its Lease, and others. */
  renewals: number;
  laterWrites: SentRequest[];
  reconciles: number;
  seconds: number;
}

/**
 * Runs the reference operator with its own user and many sites on the embedded API server. The sites settle
 * without an error. Then hours pass, with informers' resync of ten hours among them, in which that user
 * writes only its Lease. The server's requests are the evidence.
 */
export async function runSteady({
  objects,
  hours,
  onProgress = () => {},
}: SteadyOptions): Promise<SteadyOutcome> {
  const begun = performance.now();
  const clock = createFakeClock();
  const problems: string[] = [];
  const note = (text: string) => void (problems.length < 10 && problems.push(text));
  await using cluster = await startSiteCluster(clock, (line) => note(`the cluster: ${line}`));
  const network = countedTransport(createTransport(cluster.kubeConfig, { clock }));
  const manager = createManager(cluster.kubeConfig, {
    ...{ clock, random: () => 0, transport: network.transport },
    scheme: createScheme(sites),
    logger: errorsTo(note),
    // A renewal every two minutes: ten hours of them are quick.
    leaderElection: {
      ...{ id: "site-operator", namespace: "default" },
      ...{ leaseDuration: 900_000, renewDeadline: 600_000, retryPeriod: 120_000 },
    },
  });
  const records = createOutside({ clock, onSet: () => {}, onRemove: () => {} });
  const reconcile = createSiteReconciler(manager, {
    records: records.client({ look: (act) => act(), effect: (act) => act() }),
    ...{ period: 3 * 3_600_000, patches: false, heedsSignal: true },
  });
  let reconciles = 0;
  newControllerManagedBy(manager)
    .for(sites)
    .owns(deployments)
    .withOptions({ maxConcurrentReconciles: 4 })
    .complete((request, context) => {
      reconciles++;
      return reconcile(request, context);
    });
  const stop = new AbortController();
  const ended = manager.start(stop.signal);
  ended.catch((error: unknown) => note(`the manager ended with ${error}`));
  const pass = createPass(clock, network.quiet);

  const api = cluster.client.resource(sites).namespace("default");
  for (let index = 0; index < objects; index++) {
    await api.create({ metadata: { name: `site-${index}` }, spec: { size: index % 4 } });
  }
  const own = () => cluster.writes.filter(({ user }) => user === cluster.operator);
  const isLease = ({ path }: SentRequest) => path.includes("/leases");
  let settled = 0;
  for (let turn = 0; turn < 600 && settled < objects && problems.length === 0; turn++) {
    await pass(1_000);
    settled = (await api.list()).items.filter(isSettled).length;
    onProgress(`${settled} of ${objects} sites have settled`);
  }
  if (settled < objects) problems.push(`${objects - settled} of ${objects} sites have not settled`);
  // The events of the last writes, and an Event about the Lease.
  await pass(60_000);
  const before = own();
  const isEvent = ({ path }: SentRequest) => path.includes("/events");
  const writesToSettle = before.filter((write) => !isLease(write) && !isEvent(write)).length;
  for (let hour = 0; hour < hours && problems.length === 0; hour++) {
    for (let minute = 0; minute < 60; minute += 2) await pass(120_000);
    onProgress(`${hour + 1} of ${hours} hours`);
  }
  const later = own().slice(before.length);
  const laterWrites = later.filter((write) => !isLease(write));
  for (const { method, path } of laterWrites) note(`${method} ${path}, and nothing has changed`);
  const errors = await manager.metrics.getSingleMetric("controller_runtime_reconcile_errors_total")?.get();
  const failed = errors?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
  if (failed > 0) note(`${failed} reconciles have failed`);
  stop.abort(new Error("the run is over"));
  await pass(31_000);
  await ended.catch(() => {});
  const seconds = (performance.now() - begun) / 1_000;
  return {
    problems,
    writesToSettle,
    renewals: later.length - laterWrites.length,
    laterWrites,
    reconciles,
    seconds,
  };
}

function isSettled({ metadata, spec, status }: Site): boolean {
  return status?.observedGeneration === metadata?.generation && status?.size === spec?.size;
}

/** Advances the clock while no real request is under way. */
function createPass(clock: FakeClock, quiet: () => Promise<void>) {
  return async (milliseconds: number): Promise<void> => {
    await quiet();
    await clock.advance(milliseconds);
    await quiet();
  };
}

function countedTransport(inner: Transport) {
  let open = 0;
  let events = 0;
  async function* counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      events++;
      yield chunk;
    }
  }
  async function during<T>(send: () => Promise<T>): Promise<T> {
    open++;
    events++;
    try {
      return await send();
    } finally {
      open--;
    }
  }
  const transport: Transport = {
    request: (request) => during(() => inner.request(request)),
    async stream(request) {
      const response = await during(() => inner.stream(request));
      return { ...response, body: counted(response.body) };
    },
    close: () => inner.close(),
  };
  return {
    transport,
    /** Resolves when no request or event is under way. */
    async quiet(): Promise<void> {
      for (let idle = 0; idle < 3; idle++) {
        const seen = events;
        await new Promise((resolve) => setTimeout(resolve, 2));
        if (open > 0 || events !== seen) idle = -1;
      }
    },
  };
}

function errorsTo(note: (text: string) => void): Logger {
  const ignore = () => {};
  const logger: Logger = {
    ...{ debug: ignore, info: ignore, warn: ignore },
    error(fields: object | string, message?: string) {
      const { error } = fields as { error?: unknown };
      note(typeof fields === "string" ? fields : `${message}: ${error}`);
    },
    isLevelEnabled: (level) => level === "error",
    child: () => logger,
  };
  return logger;
}
