import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@operator-path/apiserver";
import {
  configMaps,
  createClient,
  type Deployment,
  deployments,
  events,
  leases,
  namespaces,
} from "@operator-path/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createScheme } from "../client/scheme.ts";
import { installMemcached, memcached, memcacheds } from "../controller/testing/memcached.ts";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { createLogger } from "../log/create-logger.ts";
import type { ReconcileCause } from "../reconcile/reconcile-cause.ts";
import { createManager } from "./create-manager.ts";
import { watchNamespaces } from "./watch-namespace.ts";

/** Allows for a busy machine. */
const until = (check: () => unknown) => vi.waitFor(check);

test("an operator creates what an object specifies, once per change", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  await installMemcached(connection);
  const api = connection.resource(memcacheds).namespace("default");
  await api.create(memcached("sample", 3));

  const manager = createManager(server.kubeConfig(), {
    scheme: createScheme(memcacheds),
    logger: createLogger({ level: "error" }),
  });
  const causes: ReconcileCause[] = [];
  newControllerManagedBy(manager)
    .for(memcacheds)
    .owns(deployments)
    .complete(async (request, { cause }) => {
      causes.push(cause);
      const found = await manager.client.get(memcacheds, request);
      const { namespace, name } = request;
      const [deployment] = (await manager.client.list(deployments, { namespace })).filter(
        ({ metadata }) => metadata?.name === name,
      );
      if (!deployment) {
        await manager.client.create(setControllerReference(found, wanted(namespace, name)));
      }
      await manager.client.status.update({ ...found, status: { nodes: [name] } });
    });
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await until(async () => expect((await api.get("sample")).status).toEqual({ nodes: ["sample"] }));
  await until(() => expect(causes.map(({ trigger }) => trigger)).toContain("added"));
  stop.abort();
  await running;
  expect(causes[0]).toMatchObject({
    trigger: "initialList",
    resource: "Memcached",
    object: "default/sample",
  });
  expect(causes.length).toBeLessThan(5);
});

test("watches the configured namespaces, counts requests, and writes Events before it ends", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  for (const name of ["shop", "backoffice", "other"]) {
    await connection.resource(namespaces).create({ metadata: { name } });
    await connection
      .resource(configMaps)
      .namespace(name)
      .create({ metadata: { name: `of-${name}` } });
  }
  const manager = createManager(server.kubeConfig(), {
    cache: { namespaces: watchNamespaces({ WATCH_NAMESPACE: "shop,backoffice" }) },
    logger: createLogger({ level: "error" }),
  });
  const reconciled = new Set<string>();
  const recorder = manager.eventRecorderFor("tester");
  newControllerManagedBy(manager)
    .for(configMaps)
    .complete(async (request) => {
      if (!request.name.startsWith("of-")) return;
      recorder.event(await manager.client.get(configMaps, request), "Normal", "Seen", "it was reconciled");
      reconciled.add(request.name);
    });
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await until(() => expect([...reconciled].toSorted()).toEqual(["of-backoffice", "of-shop"]));
  stop.abort();
  await running;
  for (const [namespace, count] of [
    ["shop", 1],
    ["backoffice", 1],
    ["other", 0],
  ] as const) {
    const { items } = await connection.resource(events).namespace(namespace).list();
    expect(items.filter(({ reason }) => reason === "Seen")).toHaveLength(count);
  }
  const text = await manager.metrics.metrics();
  const { host } = new URL(server.url);
  expect(text).toContain(`rest_client_requests_total{code="201",method="POST",host="${host}"} 2`);
  expect(text).toMatch(/rest_client_requests_total\{code="200",method="GET",host=".*"\} [2-9]/);
});

test("uses the Pod's namespace for the Lease", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const root = mkdtempSync(join(tmpdir(), "controller-runtime-pod-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, "var/run/secrets/kubernetes.io/serviceaccount");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "namespace"), "kube-system");
  vi.stubEnv("OPERATOR_PATH_SERVICE_ACCOUNT_ROOT", root);
  onTestFinished(() => void vi.unstubAllEnvs());
  const manager = createManager(server.kubeConfig(), {
    leaderElection: { id: "operator.example.com" },
    logger: createLogger({ level: "error" }),
  });
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await manager.elected;
  stop.abort();
  await running;
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  const lease = await connection.resource(leases).namespace("kube-system").get("operator.example.com");
  // Released at the end.
  expect(lease.spec?.holderIdentity ?? "").toBe("");
});

function wanted(namespace: string, name: string): Deployment {
  const labels = { app: name };
  return {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { namespace, name } },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "memcached", image: "memcached:1.6" }] },
      },
    },
  };
}
