import type { ServerResponse } from "node:http";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFluentWatcher } from "./testing/fluent-client.ts";
import { startOurs, stores } from "./testing/ours.ts";
import { configMap, expired, refuse, sendList, startPlainServer } from "./testing/plain-server.ts";

/**
 * How the first watch learns that its version is compacted. If a server ends the watch with the ERROR event,
 * as kube-apiserver does, kubernetes-fluent-client lists at once, as after every watch that ends.
 */
const answers: Record<string, (response: ServerResponse) => void> = {
  "as a status": (response) => refuse(response, 410, "Expired"),
  "as an ERROR event": (response) => void response.write(expired()),
};

async function startServer(expire: (response: ServerResponse) => void) {
  const server = await startPlainServer(({ verb, number }, response) => {
    if (verb === "list") return sendList(response, number * 10, [configMap("a", number)]);
    if (number === 1) expire(response);
    else response.flushHeaders();
  });
  onTestFinished(() => server.close());
  return server;
}

for (const [how, expire] of Object.entries(answers)) {
  test.each(stores)(
    `defect 6: our informer recovers from 410 ${how} within a second, page by page (%s)`,
    async (store) => {
      const server = await startServer(expire);
      const { informer, clock } = await startOurs(server.url, {}, store);
      await eventually(() => expect(informer.health().failures).toBe(1));
      const began = clock.now();
      await eventually(async () => {
        await clock.advance(50);
        expect(informer.lister.get("shop/a")?.metadata?.resourceVersion).toBe("2");
      });
      expect(clock.now() - began).toBeLessThanOrEqual(1_000);
      expect(server.requests.filter(({ verb }) => verb === "list").map(({ limit }) => limit)).toEqual([
        500, 500,
      ]);
    },
  );

  test(`defect 6: kubernetes-fluent-client recovers from 410 ${how} five seconds later`, async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const server = await startServer(expire);
    const seen: (string | undefined)[] = [];
    const watcher = await createFluentWatcher(
      server.url,
      ({ metadata }) => void seen.push(metadata?.resourceVersion),
    );
    await watcher.start();
    await eventually(() => expect(server.count("watch")).toBe(1));

    const began = Date.now();
    await eventually(async () => {
      await vi.advanceTimersByTimeAsync(100);
      expect(seen).toEqual(["1", "2"]);
    });
    const mended = "kubernetes-fluent-client has mended this: it goes on at once after a 410";
    expect(Date.now() - began, mended).toBeGreaterThan(4_500);
    const lists = server.requests.filter(({ verb }) => verb === "list");
    expect(lists.map(({ limit }) => limit)).toEqual([undefined, undefined]);
  });
}
