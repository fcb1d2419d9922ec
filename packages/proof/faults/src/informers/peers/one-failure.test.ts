import type { ServerResponse } from "node:http";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createClientNodeInformer } from "./testing/client-node.ts";
import { startOurs, stores } from "./testing/ours.ts";
import { configMap, event, refuse, roundTrip, sendList, startPlainServer } from "./testing/plain-server.ts";

/** The fault of the first watch. The object changes afterwards. */
const failures: Record<string, (response: ServerResponse) => void> = {
  "one reset connection": (response) => {
    response.write(event("MODIFIED", configMap("a", 2)));
    setImmediate(() => response.socket?.resetAndDestroy());
  },
  "one 500": (response) => refuse(response, 500, "InternalError"),
  "one 429": (response) => refuse(response, 429, "TooManyRequests"),
};

async function serverThat(fails: (response: ServerResponse) => void) {
  const server = await startPlainServer(({ verb, number }, response) => {
    if (verb === "list") return sendList(response, 1, [configMap("a", 1)]);
    if (number === 1) return fails(response);
    response.write(event("MODIFIED", configMap("a", 3)));
  });
  onTestFinished(() => server.close());
  return server;
}

for (const [failure, fails] of Object.entries(failures)) {
  test.each(stores)(`defect 1: ${failure} does not stop our informer (%s)`, async (store) => {
    const server = await serverThat(fails);
    const { informer, clock } = await startOurs(server.url, {}, store);
    await eventually(async () => {
      await clock.advance(1_000);
      expect(informer.lister.get("shop/a")?.metadata?.resourceVersion).toBe("3");
    });
    expect(server.count("list")).toBe(1);
  });

  test(`defect 1: ${failure} stops client-node's informer for good`, async () => {
    const server = await serverThat(fails);
    const informer = createClientNodeInformer(server.url);
    const errors: unknown[] = [];
    informer.on("error", (error) => errors.push(error));
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await informer.start();
    const mended = `client-node has mended this: ${failure} no longer stops its informer`;
    // It advances the fake timers while it waits.
    await vi.waitFor(() => expect(errors, mended).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(3_600_000);
    // Round trips over the same event loop: a request of the past hour has arrived by then.
    for (let trip = 0; trip < 20; trip++) await roundTrip(server.url);
    expect(server.count("watch"), mended).toBe(1);
    expect(informer.get("a", "shop")?.metadata?.resourceVersion, mended).not.toBe("3");
  });
}
