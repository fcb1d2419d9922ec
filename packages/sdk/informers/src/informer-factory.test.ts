import { createClientOn, namespaces, pods } from "@operator-path/client";
import { expect, test } from "vitest";
import { createInformerFactory } from "./informer-factory.ts";

test("one informer a resource; a namespace narrows those that have namespaces", async () => {
  const asked: string[] = [];
  const stop = new AbortController();
  const client = createClientOn({
    async request({ path }) {
      asked.push(path);
      return {
        status: 200,
        headers: {},
        body: Buffer.from(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [] })),
      };
    },
    stream: ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    close: () => Promise.resolve(),
  });
  const informers = createInformerFactory(client, { namespace: "shop" });
  expect(informers.informer(pods)).toBe(informers.informer(pods));
  informers.informer(namespaces);
  informers.start(stop.signal);
  await informers.waitForSync(stop.signal);
  expect(asked).toEqual(["/api/v1/namespaces/shop/pods", "/api/v1/namespaces"]);
  stop.abort();
  await informers.shutdown();
});
