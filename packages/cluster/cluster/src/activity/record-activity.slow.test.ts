import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startEmbeddedCluster } from "../embedded/start.ts";
import { type ImageBench, startImageBench } from "../testing/image-bench.ts";
import { until } from "../testing/process.ts";
import type { ActivityRecord } from "./record-activity.ts";

let folder: string;
let bench: ImageBench;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "activity-"));
  bench = await startImageBench((directory) => startEmbeddedCluster({ directory, activity: folder }));
});
afterAll(async () => {
  await bench?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function recorded(): Promise<ActivityRecord[]> {
  const text = await readFile(join(folder, "cluster.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

it("records kubectl's requests, and the end of its watches", async () => {
  await bench.ok("create configmap recorded");
  // kubectl ends such a watch itself, and a busy machine may need longer for its first answer.
  await until(
    async () => (await bench.run("get configmap recorded --watch --request-timeout=2s")).code === 0,
  );
  await until(async () => (await recorded()).some(({ type }) => type === "watch-closed"));
  const records = await recorded();
  const asked = records.filter((record) => record.type === "request" && record.client.includes(" kubectl/"));
  expect(asked).toContainEqual(
    expect.objectContaining({ method: "POST", path: "/api/v1/namespaces/default/configmaps" }),
  );
  const watch = asked.find((record) => record.type === "request" && record.id !== undefined);
  expect(records).toContainEqual(
    expect.objectContaining({ type: "watch-closed", id: (watch as { id?: number }).id }),
  );
});

it("leaves out requests of the cluster's own components", async () => {
  const clients = (await recorded()).flatMap((record) => (record.type === "request" ? [record.client] : []));
  expect(clients.filter((client) => / kube(?:let|-proxy|-controller-manager)$/.test(client))).toEqual([]);
});

it("records the keys that a work queue in a Pod hands out", async () => {
  const program = `import { channel } from "node:diagnostics_channel";
channel("operator-path:workqueue:taken").publish({ queue: "webs", key: "default/a" });
console.log("on");
setInterval(() => {}, 1000);`;
  await bench.image("queue:1", {
    "main.mjs": program,
    Dockerfile:
      'FROM gcr.io/distroless/nodejs26-debian13\nCOPY main.mjs /app/main.mjs\nCMD ["/app/main.mjs"]\n',
  });
  await bench.ok("run queue --image=queue:1");
  await until(() => bench.hasLogs("queue"));
  await until(async () => (await recorded()).some(({ type }) => type === "reconcile"));
  expect((await recorded()).find(({ type }) => type === "reconcile")).toEqual({
    ...{ at: expect.any(Number), type: "reconcile", process: "queue", queue: "webs", key: "default/a" },
  });
});
