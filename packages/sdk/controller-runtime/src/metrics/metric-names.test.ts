import { startApiServer } from "@operator-path/apiserver";
import { configMaps, createClient } from "@operator-path/client";
import { createServingCertificate } from "@operator-path/client/certificates";
import { expect, onTestFinished, test, vi } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createLogger } from "../log/create-logger.ts";
import { createManager } from "../manager/create-manager.ts";
import { scrape } from "./testing/scrape.ts";

/** Dashboards and alerts use these. */
const known = [
  "controller_runtime_reconcile_total",
  "controller_runtime_reconcile_errors_total",
  "controller_runtime_terminal_reconcile_errors_total",
  "controller_runtime_reconcile_panics_total",
  "controller_runtime_reconcile_time_seconds",
  "controller_runtime_max_concurrent_reconciles",
  "controller_runtime_active_workers",
  "controller_runtime_webhook_latency_seconds",
  "controller_runtime_webhook_requests_total",
  "workqueue_depth",
  "workqueue_adds_total",
  "workqueue_queue_duration_seconds",
  "workqueue_work_duration_seconds",
  "workqueue_retries_total",
  "workqueue_unfinished_work_seconds",
  "workqueue_longest_running_processor_seconds",
  "rest_client_requests_total",
  "leader_election_master_status",
  "process_cpu_seconds_total",
  "process_resident_memory_bytes",
  "process_start_time_seconds",
];

test("a manager serves its metrics with the names that dashboards use", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  await connection
    .resource(configMaps)
    .namespace("default")
    .create({ metadata: { name: "settings" } });
  const serving = createServingCertificate(["localhost"], Date.now());
  const manager = createManager(server.kubeConfig(), {
    metricsServer: { bindAddress: "127.0.0.1:0" },
    webhookServer: {
      ...{ host: "127.0.0.1", port: 0 },
      certificates: { start: async (_, onCertificate) => onCertificate(serving) },
    },
    leaderElection: { id: "settings", namespace: "default" },
    logger: createLogger({ destination: { write() {} } }),
  });
  const reconciled = Promise.withResolvers<void>();
  newControllerManagedBy(manager)
    .for(configMaps)
    .named("settings")
    .complete(() => reconciled.resolve());
  manager.webhookServer.register("/validate", () => ({ status: 200, contentType: "text/plain", body: "" }));
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  await reconciled.promise;

  const headers = { authorization: `Bearer ${server.token}` };
  const text = await vi.waitFor(async () => {
    const { body } = await scrape(`https://${manager.metricsAddress()}/metrics`, { headers });
    expect(body).toContain('controller_runtime_reconcile_total{controller="settings",result="success"} 1\n');
    return body;
  });
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name);
  expect(types).toEqual(expect.arrayContaining(known));
  expect(text).toMatch(
    /^rest_client_requests_total\{code="200",method="GET",host="127\.0\.0\.1:\d+"\} \d+$/m,
  );
  expect(text).toMatch(/^leader_election_master_status\{name="(default\/)?settings"\} 1$/m);
  expect(text).toMatch(/^controller_runtime_webhook_requests_total\{webhook="\/validate",code="200"\} 0$/m);
});
