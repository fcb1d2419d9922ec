import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { configMaps } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager } from "@operator-path/controller-runtime";
import { eventually } from "@operator-path/controller-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { setupBackups } from "./metrics.ts";

const cluster = await startTestCluster();
afterAll(() => cluster.stop());
const manager = createManager(cluster.kubeConfig, {
  cache: { namespaces: ["default"] },
  leaderElection: { id: "backup-operator", namespace: "default" },
  logger: createLogger({ level: "silent" }),
  metricsServer: { bindAddress: "127.0.0.1:0" },
});
setupBackups(manager, {
  async upload(key) {
    if (key.endsWith("/broken")) throw new Error("the backup has no room");
  },
});

const stop = new AbortController();
let running: Promise<void>;
afterAll(async () => {
  stop.abort();
  await running;
});

/** Each series of a scrape, with its value. */
let series: Map<string, number>;

beforeAll(async () => {
  const maps = cluster.client.resource(configMaps).namespace("default");
  await maps.create({ metadata: { name: "good" }, data: { a: "1" } });
  await maps.create({ metadata: { name: "broken" }, data: { a: "1" } });
  running = manager.start(stop.signal);
  await eventually(async () => {
    const { items } = await maps.list();
    const phases = items.map(({ metadata }) => metadata?.annotations?.backup);
    expect(phases.sort()).toEqual(["failed", "ok"]);
    series = await scrape();
    // Once for the object, and once for the annotation.
    expect(series.get('controller_runtime_reconcile_total{controller="backup",result="success"}')).toBe(4);
    // The queue sets this gauge half a second after its first item.
    expect(series.get('workqueue_longest_running_processor_seconds{name="backup"}')).toBe(0);
  });
});

/** Asks as Prometheus does: over HTTPS, with the bearer token of an account that may get /metrics. */
async function scrape(): Promise<Map<string, number>> {
  const { token } = cluster.kubeConfig.getCurrentUser() ?? {};
  const body = await new Promise<string>((resolve, reject) => {
    const options = {
      agent: false,
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${token}` },
    };
    request(`https://${manager.metricsAddress()}/metrics`, options, (response) => resolve(text(response)))
      .on("error", reject)
      .end();
  });
  const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

test("the operator's own metrics are in the scrape", () => {
  expect(series.get('backup_configmaps{phase="failed"}')).toBe(1);
  expect(series.get('backup_configmaps{phase="ok"}')).toBe(1);
  expect(series.get("backup_uploaded_bytes_total")).toBe(2 * '{"a":"1"}'.length);
  expect(series.get('backup_upload_seconds_count{result="failed"}')).toBe(2);
  expect(series.get('leader_election_master_status{name="backup-operator"}')).toBe(1);
});

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
}
const { groups } = parse(readFileSync(join(import.meta.dirname, "metrics.alerts.yaml"), "utf8"));
const rules: AlertRule[] = groups.flatMap((group: { rules: AlertRule[] }) => group.rules);

test.each(rules)("the metrics of $alert are in the scrape, with its labels", ({ expr }) => {
  const selectors = selectorsOf(expr);
  expect(selectors).not.toEqual([]);
  for (const { name, labels } of selectors) {
    const found = [...series.keys()].filter((each) => each.split("{")[0] === name);
    expect(found, `series of ${name}`).not.toEqual([]);
    // Prometheus adds `job`.
    for (const label of labels.filter((each) => each !== "job")) expect(found[0]).toContain(`${label}="`);
  }
});

test("finds the metrics of an expression", () => {
  expect(
    selectorsOf('sum by (code) (rate(a_total{code=~"5..",job="x"}[5m])) > min_over_time(b[1h])'),
  ).toEqual([
    { name: "a_total", labels: ["code", "job", "code"] },
    { name: "b", labels: ["code"] },
  ]);
});

/** The metrics of a PromQL expression, with the labels that it matches, and those that it groups by. */
function selectorsOf(expr: string): { name: string; labels: string[] }[] {
  const grouping = /\bby \(([^)]*)\)/g;
  const grouped = [...expr.matchAll(grouping)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const rest = expr.replaceAll(grouping, "").replaceAll(/\[[^\]]*\]/g, "");
  return [...rest.matchAll(/\b([a-z_]+)\b(?!\()(?:\{([^}]*)\})?(?=[^"=]|$)/g)]
    .filter(([, name = ""]) => !["sum", "max"].includes(name))
    .map(([, name = "", matchers = ""]) => ({
      name,
      labels: [...[...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = ""]) => label), ...grouped],
    }));
}
