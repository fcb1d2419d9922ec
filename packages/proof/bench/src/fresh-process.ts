/**
 * Runs in a process of its own: starts the subject that its argument names (`apiserver` or `cluster`), sends
 * one request, and prints a `Sample` as JSON. All times are of one clock, whose zero is the start of this
 * process.
 */
import { get } from "node:https";
import type { Sample } from "./sample.ts";

const what = process.argv[2];
const start = what === "cluster" ? await importCluster() : await importApiServer();
const called = performance.now();
const running = await start();
const started = performance.now();
await firstAnswer(running);
const answered = performance.now();
const sample: Sample = { called, started, answered };
process.stdout.write(`${JSON.stringify(sample)}\n`);
await running.stop();

interface Running {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  stop(): Promise<void>;
}

async function importApiServer(): Promise<() => Promise<Running>> {
  const { startApiServer } = await import("@operator-path/apiserver");
  return async () => {
    const server = await startApiServer();
    return { url: server.url, ca: server.caCertificate, token: server.token, stop: () => server.stop() };
  };
}

async function importCluster(): Promise<() => Promise<Running>> {
  const { startEmbeddedCluster } = await import("@operator-path/cluster");
  // The package loads these when a cluster starts. Here they must be loaded before.
  await import(new URL("embedded/start.ts", import.meta.resolve("@operator-path/cluster")).href);
  return async () => {
    const cluster = await startEmbeddedCluster();
    const ca = Buffer.from(cluster.kubeConfig.getCurrentCluster()?.caData ?? "", "base64").toString();
    const token = cluster.kubeConfig.getCurrentUser()?.token ?? "";
    return { url: cluster.url, ca, token, stop: () => cluster.stop() };
  };
}

function firstAnswer({ url, ca, token }: Running): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { ca, headers: { authorization: `Bearer ${token}` }, agent: false };
    get(`${url}/api/v1/nodes`, options, (response) => {
      response.resume().on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`GET /api/v1/nodes answered ${response.statusCode}`));
      });
    }).on("error", reject);
  });
}
