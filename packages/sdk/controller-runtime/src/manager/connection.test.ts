import { Duplex, Readable } from "node:stream";
import { startApiServer } from "@operator-path/apiserver";
import {
  configMaps,
  defineResource,
  exec,
  type KubeObject,
  namespaces,
  type Transport,
} from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createObjectClient } from "../client/create-client.ts";
import { createScheme } from "../client/scheme.ts";
import { createLogger } from "../log/create-logger.ts";
import { createManager } from "./create-manager.ts";
import { createFencedTransport } from "./fenced-transport.ts";
import { loopbackKubeConfig } from "./testing/loopback-kube-config.ts";

const widgets = defineResource<KubeObject>({
  ...{ group: "example.com", version: "v1", kind: "Widget", plural: "widgets", namespaced: true },
});

test("connection sends requests without a kind, serves clients with another scheme, and writes nothing after the end", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const manager = createManager(server.kubeConfig(), { logger: createLogger({ level: "error" }) });
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await manager.elected;
  const { connection, cache } = manager;
  const { body } = await connection.request({ method: "GET", path: "/api/v1" });
  expect(JSON.parse(new TextDecoder().decode(body)).kind).toBe("APIResourceList");

  const other = createObjectClient(connection, { scheme: createScheme(widgets), cache: { reader: cache } });
  const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "own", name: "settings" } };
  await other.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "own" } });
  await other.create(settings);
  expect(await manager.client.get(configMaps, settings.metadata)).toMatchObject(settings);
  expect(other.scheme.recognizes({ apiVersion: "example.com/v1", kind: "Widget" })).toBe(true);

  stop.abort();
  await running;
  const late = connection.resource(namespaces).create({ metadata: { name: "late" } });
  await expect(late).rejects.toThrow();
});

test("logs each warning of the server once, with the fields of the reconcile that caused it", async () => {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    format: "json",
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const manager = createManager(server.kubeConfig(), { logger });
  const typo = (name: string) => ({
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } },
    daata: {},
  });
  const reconciled = Promise.withResolvers<void>();
  newControllerManagedBy(manager)
    .for(namespaces)
    .named("typos")
    .complete(async ({ name }) => {
      if (name !== "default") return;
      await manager.client.create(typo("first"));
      await manager.client.create(typo("second"));
      reconciled.resolve();
    });
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await reconciled.promise;
  const warnings = lines.filter(({ level }) => level === "warn");
  expect(warnings).toEqual([
    expect.objectContaining({
      msg: 'unknown field "daata"',
      ...{ controller: "typos", reconcileID: expect.any(String) },
      ...{ method: "POST", path: "/api/v1/namespaces/default/configmaps" },
    }),
  ]);
  stop.abort();
  await running;
});

test("connection opens streams to Pods, counts them, and opens none after leadership is lost", async () => {
  const asked: string[] = [];
  const { promise: noAnswer } = Promise.withResolvers<never>();
  const transport: Transport = {
    request: () => noAnswer,
    stream: () => noAnswer,
    async connect({ path, protocols: [protocol = ""] }) {
      asked.push(path);
      const request = { method: "GET", url: path };
      return { status: 101, protocol, request, socket: Duplex.from(Readable.from([Buffer.from(done)])) };
    },
    close: async () => {},
  };
  const done = '\u0003{"status":"Success"}';
  const manager = createManager(loopbackKubeConfig(), { transport, qps: 5 });
  const pod = { namespace: "shop", name: "redis-0" };
  expect(await exec(manager.connection, pod, ["redis-cli", "ping"])).toMatchObject({ exitCode: 0 });
  expect(await manager.metrics.metrics()).toContain(
    'rest_client_requests_total{code="101",method="GET",host="127.0.0.1:1"} 1',
  );

  const fenced = createFencedTransport(transport, () => new Error("leadership was lost"));
  await expect(exec(fenced, pod, ["redis-cli", "flushall"])).rejects.toThrow("leadership was lost");
  expect(asked).toEqual(["/api/v1/namespaces/shop/pods/redis-0/exec"]);
});
