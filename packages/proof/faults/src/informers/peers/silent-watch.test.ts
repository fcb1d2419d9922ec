import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { createClientNodeInformer } from "./testing/client-node.ts";
import { startOurs, stores } from "./testing/ours.ts";
import { bookmark, configMap, refuse, sendList, startPlainServer } from "./testing/plain-server.ts";

/**
 * A busy cluster without changes of the ConfigMaps: by the second watch, the version of the list is
 * compacted. Clients that ask for bookmarks receive a newer one. Then the watch is silent.
 */
async function startServer() {
  const server = await startPlainServer(({ verb, number, resourceVersion, bookmarks }, response) => {
    if (verb === "list") return sendList(response, number === 1 ? 10 : 1_000, [configMap("a", 5)]);
    if (number > 1 && Number(resourceVersion) < 900) return refuse(response, 410, "Expired");
    response.flushHeaders();
    if (bookmarks && number === 1) response.write(bookmark(1_000));
  });
  onTestFinished(() => server.close());
  return server;
}

test.each(stores)(
  "defect 3: after a silent watch our informer goes on from a bookmark (%s)",
  async (store) => {
    const server = await startServer();
    const { informer, clock } = await startOurs(server.url, {}, store);
    await eventually(() => expect(informer.lastSyncResourceVersion()).toBe("1000"));
    await eventually(async () => {
      await clock.advance(10_000);
      expect(server.count("watch")).toBeGreaterThan(1);
    });
    const [first, second] = server.requests.filter(({ verb }) => verb === "watch");
    expect([first?.resourceVersion, second?.resourceVersion]).toEqual(["10", "1000"]);
    expect(server.count("list")).toBe(1);
  },
);

test("defect 3: after a silent watch client-node's informer uses a compacted version, and lists again", async () => {
  const server = await startServer();
  // The default of 30 s has the same effect, later.
  const informer = createClientNodeInformer(server.url, 50);
  await informer.start();
  await eventually(() => expect(server.count("watch")).toBeGreaterThan(1));
  const [first, second] = server.requests.filter(({ verb }) => verb === "watch");
  const mended = "client-node has mended this: it asks for bookmarks, or goes on from a newer version";
  expect(first?.bookmarks, mended).toBe(false);
  expect([first?.resourceVersion, second?.resourceVersion], mended).toEqual(["10", "10"]);
  await eventually(() => expect(server.count("list"), mended).toBeGreaterThan(1));
});
