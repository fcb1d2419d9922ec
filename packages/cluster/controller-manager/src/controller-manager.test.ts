import { createClientOn, deployments, pods, type Transport } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startControllerManager } from "./controller-manager.ts";
import { startTestCluster, type TestCluster, within } from "./testing/cluster.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startKubelet();
});
afterAll(() => cluster.stop());

async function deploy(namespace: string, replicas: number) {
  const labels = { app: "web" };
  const scope = cluster.client.resource(deployments).namespace(namespace);
  await scope.create({
    metadata: { name: "web", namespace },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } },
    },
  });
  return {
    ready: () =>
      expect.poll(async () => (await scope.get("web")).status?.availableReplicas, within).toBe(replicas),
    observed: () =>
      expect.poll(async () => (await scope.get("web")).status?.observedGeneration, within).toBe(1),
  };
}

/** Records every write request. */
function recordWrites(writes: string[]) {
  return (transport: Transport): Transport => ({
    ...transport,
    request(request) {
      if (request.method !== "GET") writes.push(`${request.method} ${request.path}`);
      return transport.request(request);
    },
  });
}

test("a new manager writes nothing if everything is in its desired state", async () => {
  const first = await cluster.startManager();
  const settled = await cluster.namespace();
  await (await deploy(settled, 3)).ready();
  await first.stop();

  const writes: string[] = [];
  const second = await cluster.startManager({ interfere: recordWrites(writes) });
  // The newest object is the last one in every queue. When it is done, everything else was reconciled.
  const marker = await cluster.namespace();
  await (await deploy(marker, 1)).ready();
  await second.stop();
  expect(writes.filter((write) => !write.includes(marker))).toEqual([]);
  expect(writes.length).toBeGreaterThan(0);
});

test("a manager stopped in the middle of a rollout leaves nothing that the next one misses", async () => {
  const namespace = await cluster.namespace();
  const inNamespace = cluster.client.resource(pods).namespace(namespace);
  let web: Awaited<ReturnType<typeof deploy>> | undefined;
  for (let writes = 1; writes <= 12; writes++) {
    // Stops after this many write responses, so that each step is the last one once.
    const enough = Promise.withResolvers<void>();
    let left = writes;
    const manager = await cluster.startManager({
      interfere: (transport) => ({
        ...transport,
        async request(request) {
          const response = await transport.request(request);
          if (request.method !== "GET" && --left === 0) enough.resolve();
          return response;
        },
      }),
    });
    web ??= await deploy(namespace, 3);
    await Promise.race([enough.promise, web.ready()]);
    await manager.stop();
  }
  const last = await cluster.startManager();
  await web?.ready();
  expect((await inNamespace.list()).items).toHaveLength(3);
  await last.stop();
});

test("retries requests that an API server rejects from time to time", async () => {
  let requests = 0;
  const refuse = (transport: Transport): Transport => ({
    ...transport,
    async request(request) {
      // Loses one third of the write requests, and the responses of another third. Spares Events: no test
      // waits for them, and each lost one would cost time.
      const isSpared = request.method === "GET" || request.path.includes("/events");
      const turn = isSpared ? 0 : ++requests % 3;
      if (turn === 1) throw new Error("connection reset");
      const response = await transport.request(request);
      if (turn === 2) throw new Error("connection reset");
      return response;
    },
  });
  const manager = await cluster.startManager({ interfere: refuse });
  const namespace = await cluster.namespace();
  await (await deploy(namespace, 4)).ready();
  await expect
    .poll(async () => (await cluster.client.resource(pods).namespace(namespace).list()).items.length, within)
    .toBe(4);
  await manager.stop();
});

test("ends at once when stopped before the first response", async () => {
  const silent: Transport = {
    request: ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    stream: ({ signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
    close: async () => {},
  };
  const manager = startControllerManager({ client: createClientOn(silent) });
  await manager.stop();
  await expect(manager.ready).rejects.toThrow();
});
