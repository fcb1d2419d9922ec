import { createClientOn, namespaces, pods } from "@operator-path/client";
import { expect, test } from "vitest";
import { createInformerFactory } from "./informer-factory.ts";

/** Every list is empty, and there are no events. */
function emptyCluster(onList: (path: string) => void = () => {}) {
  return createClientOn({
    async request({ path }) {
      onList(path);
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
}

test("shares one informer per resource, and applies the namespace to namespaced resources only", async () => {
  const paths: string[] = [];
  const stop = new AbortController();
  const client = emptyCluster((path) => paths.push(path));
  const informers = createInformerFactory(client, { namespace: "shop", watchList: false });
  expect(informers.informer(pods)).toBe(informers.informer(pods));
  informers.informer(namespaces);
  informers.start(stop.signal);
  await informers.waitForSync(stop.signal);
  expect(paths).toEqual(["/api/v1/namespaces/shop/pods", "/api/v1/namespaces"]);
  stop.abort();
  await informers.shutdown();
});

test("names an informer that was requested after start when waitForSync would hang", async () => {
  const paths: string[] = [];
  const never = new Promise<never>(() => {});
  const client = createClientOn({
    request({ path }) {
      paths.push(path);
      return never;
    },
    stream({ path }) {
      paths.push(path);
      return never;
    },
    close: () => Promise.resolve(),
  });
  const stop = new AbortController();
  const informers = createInformerFactory(client);
  informers.start(stop.signal);
  informers.informer(pods);
  await expect(informers.waitForSync(stop.signal)).rejects.toThrow(
    "the informer of pods was requested but not started: call start(signal) after the last call of informer()",
  );
  informers.start(stop.signal);
  expect(paths).toEqual(["/api/v1/pods"]);
  const waiting = informers.waitForSync();
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(informers.waitForSync(stop.signal)).rejects.toThrow("enough");
});

test("reports at shutdown that an informer was started by hand, without an unhandled rejection", async () => {
  const stop = new AbortController();
  const informers = createInformerFactory(emptyCluster(), { watchList: false });
  const byHand = informers.informer(pods).run(stop.signal);
  informers.informer(namespaces);
  informers.start(stop.signal);
  // Node and vitest report an unhandled rejection in the next turn of the event loop.
  await informers.waitForSync();
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  await expect(informers.shutdown()).rejects.toThrow("the informer of pods was already started");
  await byHand;
});
