import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { createFluentWatcher } from "./testing/fluent-client.ts";
import { startOurs, stores } from "./testing/ours.ts";
import { configMap, sendList, startPlainServer } from "./testing/plain-server.ts";

/** Ends every watch at once, like some proxies. */
async function startServer() {
  const server = await startPlainServer(({ verb }, response) => {
    if (verb === "list") return sendList(response, 1, [configMap("a", 1)]);
    response.end();
  });
  onTestFinished(() => server.close());
  return server;
}

test.each(stores)(
  "defect 5: watches that end at once make our informer wait, and never list (%s)",
  async (store) => {
    const server = await startServer();
    const { clock } = await startOurs(server.url, {}, store);
    const began = clock.now();
    await eventually(async () => {
      await clock.advance(5_000);
      expect(server.count("watch")).toBeGreaterThan(15);
    });
    expect(server.count("list")).toBe(1);
    // Up to half a minute apart.
    expect(clock.now() - began).toBeGreaterThan(4 * 60_000);
  },
);

test("defect 5: watches that end at once make kubernetes-fluent-client list in an endless loop", async () => {
  const server = await startServer();
  const watcher = await createFluentWatcher(server.url, () => {});
  await watcher.start();
  const mended =
    "kubernetes-fluent-client has mended this: no list for each watch that ends, or a pause between them";
  // A pause of one second between them would make twenty.
  await eventually(() => expect(server.count("list"), mended).toBeGreaterThan(20));
});
