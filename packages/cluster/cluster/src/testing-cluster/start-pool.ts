import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Pool, PoolAnswer, PoolRequest } from "./pool-client.ts";
import { type StartedCluster, startHere } from "./start-here.ts";

export interface RunningPool extends Pool {
  /** Stops all remaining clusters. */
  stop(): Promise<void>;
}

/** Starts clusters in this process for other processes that know the token. Listens on 127.0.0.1 only. */
export async function startPool(): Promise<RunningPool> {
  const clusters = new Map<string, StartedCluster>();
  const token = randomBytes(32).toString("base64url");
  const expected = Buffer.from(`Bearer ${token}`);

  function isAllowed({ headers }: IncomingMessage): boolean {
    const given = Buffer.from(headers.authorization ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body: string }> {
    if (!isAllowed(request)) return { status: 401, body: "no token of this test run" };
    if (request.method === "POST") {
      const { controllers } = JSON.parse(await text(request)) as PoolRequest;
      const cluster = await startHere("embedded", controllers, { clock: undefined, log: () => {} });
      const id = randomUUID();
      clusters.set(id, cluster);
      const made: PoolAnswer = { id, config: cluster.kubeConfig.exportConfig() };
      return { status: 200, body: JSON.stringify(made) };
    }
    const id = (request.url ?? "").slice(1);
    const cluster = clusters.get(id);
    if (request.method !== "DELETE" || !cluster) return { status: 404, body: "no such cluster" };
    clusters.delete(id);
    await cluster.stop();
    return { status: 200, body: "" };
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => ({
        status: 500,
        body: error instanceof Error ? error.message : String(error),
      }))
      .then(({ status, body }) => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await Promise.all([...clusters.values()].map((cluster) => cluster.stop()));
    },
  };
}
