/**
 * Runs an embedded or envtest cluster in its own process. Receives one message over IPC (`StartOrder`) and
 * answers with one (`StartAnswer`). Ends on a signal, if starting fails, or when its lifeline closes.
 */
import { once } from "node:events";
import { type EmbeddedCluster, startEmbeddedCluster } from "../embedded/start.ts";
import type { EnvtestCluster } from "../envtest/start.ts";
import { serveFaults } from "../faults/remote-faults.ts";
import { UserError } from "../user-error.ts";
import type { StartAnswer, StartOrder } from "./launch.ts";
import { createLog } from "./log.ts";

/** Stopping takes milliseconds. A cluster that hangs while stopping must not stay forever. */
const patienceMs = 20_000;

// Standard error is cluster.log. Node's own stream for it would end the process when the disk is full.
const log = createLog(process.stderr.fd);
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// A mistake in one place (a Pod's shell, a closed connection) must not end the whole cluster. It is logged.
process.on("unhandledRejection", (reason) => log(`unhandled rejection: ${stackOf(reason)}`));

const end = new AbortController();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => end.abort());
// A closed channel means that the parent has ended, and nothing uses this cluster any more.
process.once("disconnect", () => end.abort());

const order = await firstMessage();
if (order) await run(order).catch((error: unknown) => answer(failure(error)));
process.exit();

async function firstMessage(): Promise<StartOrder | undefined> {
  const message = await once(process, "message", { signal: end.signal }).catch(() => undefined);
  return message?.[0] as StartOrder | undefined;
}

async function run(order: StartOrder): Promise<void> {
  // Shown by `ps`.
  process.title = `operator-path cluster ${order.name}`;
  await using undo = new AsyncDisposableStack();
  // Only a cluster that outlives its parent has a record.
  const records = order.lifeline ? undefined : await import("../background/record.ts");
  const record = await records?.claimCluster(order.directory, order.name);
  if (records && record === undefined) return answer({ type: "taken" });
  if (records) undo.defer(() => records.withdrawRecord(order.directory));

  const cluster = await start(order);
  undo.defer(() => cluster.stop());
  // Runs first when stopping.
  undo.defer(() => void setTimeout(() => process.exit(1), patienceMs).unref());
  const { url, kubeconfigPath, nodes } = cluster;
  if (records && record) {
    const fence = await cluster.fence();
    const running = { ...record, phase: "running" as const, url, kubeconfigPath, nodes, fence };
    await records.publishRecord(order.directory, running);
    process.removeAllListeners("disconnect");
  }
  if (end.signal.aborted) return;
  // Installed only now, so an exception during startup still fails the start.
  process.on("uncaughtException", (error) => log(`uncaught exception: ${stackOf(error)}`));
  if (order.lifeline && "faults" in cluster) serveFaults(cluster.faults, Date.now);
  await answer({ type: "ready", url, kubeconfigPath });
  await once(end.signal, "abort");
}

/** Loads each provider on demand. */
async function start({ envtest, ...order }: StartOrder): Promise<EmbeddedCluster | EnvtestCluster> {
  if (envtest === undefined) return startEmbeddedCluster({ ...order, log });
  const { startEnvtestCluster } = await import("../envtest/start.ts");
  const cluster = await startEnvtestCluster({ ...order, ...envtest, log });
  // Without its control plane the cluster is broken, and kubectl would wait forever.
  void cluster.broken.then(() => end.abort());
  return cluster;
}

async function answer(message: StartAnswer): Promise<void> {
  if (process.connected) await new Promise<void>((sent) => process.send?.(message, () => sent()));
}

function failure(error: unknown): StartAnswer {
  const expected = error instanceof UserError;
  const message =
    error instanceof Error ? ((expected ? error.message : error.stack) ?? error.message) : String(error);
  return { type: "failed", message, expected };
}

function stackOf(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}
