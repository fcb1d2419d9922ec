import { ApiError, configMaps, type Transport } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { newControllerManagedBy } from "../../builder/builder.ts";
import { createLogger } from "../../log/create-logger.ts";
import { createManager } from "../create-manager.ts";
import { loopbackKubeConfig } from "./loopback-kube-config.ts";

// Runs in a process of its own, so that a test sees the library's effect on it. Prints the outcome of each
// manager.

const refusals = [401, 403, 404, 410, 429, 500, 503];
/** What watches return, one after the other, twice each. */
const watches: (() => AsyncIterable<Uint8Array>)[] = [
  ...refusals.map((code) => () => {
    throw new ApiError({ code, reason: "Injected", message: `injected ${code}` });
  }),
  () => {
    throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
  },
  () => bytes('{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n'),
  () => bytes("neither JSON nor a line"),
  () => bytes(""),
];

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Lists no objects. Each watch fails in another way. */
function failingServer() {
  let failed = 0;
  const transport: Transport = {
    request: async () => ({
      ...{ status: 200, headers: {} },
      body: Buffer.from(
        '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[]}',
      ),
    }),
    async stream() {
      const next = watches[failed++ % watches.length];
      return { status: 200, headers: {}, body: (next as () => AsyncIterable<Uint8Array>)() };
    },
    close: async () => {},
  };
  return { transport, failed: () => failed };
}

const logger = createLogger({ level: "silent" });

async function surviveWatches(): Promise<void> {
  const clock = createFakeClock();
  const server = failingServer();
  const manager = createManager(loopbackKubeConfig(), { transport: server.transport, clock, logger });
  newControllerManagedBy(manager)
    .for(configMaps)
    .complete(() => {});
  const stop = new AbortController();
  let ended = false;
  const running = manager.start(stop.signal).finally(() => {
    ended = true;
  });
  while (server.failed() < 2 * watches.length && !ended) await clock.advance(1_000);
  console.log(ended ? "a failed watch ended the manager" : "watches fail, the manager keeps running");
  stop.abort();
  await running;
}

async function rejectStart(what: string, start: () => Promise<void>): Promise<void> {
  const how = await start().then(
    () => "ended",
    (error: Error) => `rejected: ${error.message.split(":")[0]}`,
  );
  console.log(`${what} ${how}`);
}

await surviveWatches();
await rejectStart("a failing runnable:", async () => {
  const manager = createManager(loopbackKubeConfig(), { logger });
  manager.add({ start: () => Promise.reject(new Error("out of order")) });
  await manager.start(new AbortController().signal);
});
await rejectStart("an unusable address:", async () => {
  const manager = createManager(loopbackKubeConfig(), { logger, healthProbeBindAddress: "192.0.2.1:1" });
  await manager.start(new AbortController().signal);
});
console.log("still here");
