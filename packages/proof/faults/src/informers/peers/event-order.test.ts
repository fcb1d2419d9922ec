import type { ServerResponse } from "node:http";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { createFluentWatcher } from "./testing/fluent-client.ts";
import { startOurs, stores } from "./testing/ours.ts";
import { configMap, event, sendList, startPlainServer } from "./testing/plain-server.ts";

interface Versioned {
  metadata?: { resourceVersion?: string };
}

/** A handler that is slow for the first event of an object, and records its order of events. */
function createSlowHandler() {
  const log: string[] = [];
  const { promise, resolve: release } = Promise.withResolvers<void>();
  async function handle({ metadata }: Versioned): Promise<void> {
    log.push(`start ${metadata?.resourceVersion}`);
    if (metadata?.resourceVersion === "2") await promise;
    log.push(`end ${metadata?.resourceVersion}`);
  }
  return { handle, log, release };
}

/** The first two events arrive in one piece, the third in another. */
async function startServer() {
  let watch: ServerResponse | undefined;
  const server = await startPlainServer(({ verb }, response) => {
    if (verb === "list") return sendList(response, 1);
    watch = response;
    response.write(event("ADDED", configMap("a", 2)) + event("MODIFIED", configMap("a", 3)));
  });
  onTestFinished(() => server.close());
  return { ...server, sendThird: () => watch?.write(event("MODIFIED", configMap("a", 4))) };
}

test.each(stores)(
  "defect 4: an async handler of ours receives one event after the other (%s)",
  async (store) => {
    const server = await startServer();
    const { handle, log, release } = createSlowHandler();
    const { informer } = await startOurs(
      server.url,
      { added: handle, updated: (_, object) => handle(object) },
      store,
    );
    await eventually(() => expect(log).toEqual(["start 2"]));
    server.sendThird();
    await eventually(() => expect(informer.lastSyncResourceVersion()).toBe("4"));
    expect(log).toEqual(["start 2"]);
    release();
    await eventually(() => expect(log).toHaveLength(6));
    expect(log).toEqual(["start 2", "end 2", "start 3", "end 3", "start 4", "end 4"]);
  },
);

test("defect 4: an async handler of kubernetes-fluent-client receives an object's events in another order", async () => {
  const server = await startServer();
  const { handle, log, release } = createSlowHandler();
  const watcher = await createFluentWatcher(server.url, handle);
  await watcher.start();
  await eventually(() => expect(log).toEqual(["start 2"]));
  server.sendThird();
  const mended = "kubernetes-fluent-client has mended this: an object's events wait for the handler";
  await eventually(() => expect(log, mended).toContain("end 4"));
  release();
  await eventually(() => expect(log).toHaveLength(6));
  expect(log, mended).toEqual(["start 2", "start 4", "end 4", "end 2", "start 3", "end 3"]);
});
