import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { startApiServer } from "@operator-path/apiserver";
import { type Client, configMaps, createClient } from "@operator-path/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { createCache } from "../cache/create-cache.ts";
import { createTestManager } from "../controller/testing/test-manager.ts";
import { enqueueTypedRequestsFromMapFunc } from "../handler/enqueue-requests-from-map-func.ts";
import type { ReconcileCause } from "../reconcile/reconcile-cause.ts";
import { channelSource, createChannel } from "../source/channel.ts";
import { kindSource } from "../source/kind.ts";
import { newTypedControllerManagedBy } from "./typed-builder.ts";

interface ClusterRequest {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** Allows for a busy machine. */
const until = (check: () => unknown) => vi.waitFor(check);

async function startCluster(): Promise<Client> {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  return connection;
}

test("reconciles objects of two clusters with one controller and distinct requests", async () => {
  const { manager, run, lines, metric } = createTestManager();
  const reconciled: { request: ClusterRequest; cause: ReconcileCause }[] = [];
  const builder = newTypedControllerManagedBy<ClusterRequest>(manager).named("fleet");
  const clusters = new Map(
    await Promise.all(["east", "west"].map(async (name) => [name, await startCluster()] as const)),
  );
  for (const [cluster, connection] of clusters) {
    const create = (name: string) =>
      connection.resource(configMaps).namespace("default").create({ metadata: { name } });
    await create("settings");
    const cache = createCache(connection, { log: () => {} });
    manager.add({ group: "caches", start: cache.start, ready: cache.waitForSync });
    const requestsOf = enqueueTypedRequestsFromMapFunc(({ metadata }: { metadata?: { name?: string } }) => {
      const name = metadata?.name ?? "";
      // Twice, with the fields in another order: one request.
      return name === "settings"
        ? [
            { cluster, namespace: "default", name },
            { name, cluster, namespace: "default" },
          ]
        : [];
    });
    builder.watchesRawSource(kindSource(cache, configMaps, requestsOf));
  }
  builder.complete((request, { cause, log }) => {
    reconciled.push({ request, cause });
    log.info("seen");
  });
  run();
  await until(() => expect(reconciled).toHaveLength(2));
  expect(reconciled.map(({ request }) => request.cluster).toSorted()).toEqual(["east", "west"]);
  expect(reconciled[0]).toMatchObject({
    request: { namespace: "default", name: "settings" },
    cause: { trigger: "initialList", object: "default/settings", count: 1 },
  });

  const west = clusters.get("west")?.resource(configMaps).namespace("default");
  await west?.patch("settings", { data: { color: "blue" } }, { type: "merge" });
  await until(() => expect(reconciled).toHaveLength(3));
  expect(reconciled[2]).toMatchObject({
    request: { cluster: "west" },
    cause: { trigger: "updated", count: 1 },
  });
  expect(lines("seen")[2]).toMatchObject({
    controller: "fleet",
    request: { cluster: "west", namespace: "default", name: "settings" },
  });
  expect(await metric('controller_runtime_reconcile_total{controller="fleet",result="success"}')).toBe(3);
});

test("accepts string requests, retries failures and merges pending requests", async () => {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const { manager, clock, run } = createTestManager({ tracerProvider });
  const channel = createChannel<{ repository: string }>();
  const asked: [string, number][] = [];
  newTypedControllerManagedBy<string>(manager)
    .named("repositories")
    .watchesRawSource(channelSource(channel, ({ object }, queue) => queue.add(object.repository)))
    .complete((repository, { cause }) => {
      asked.push([repository, cause.retries]);
      if (repository === "a/b" && cause.retries < 2) throw new Error("the code host is unavailable");
    });
  run();
  for (const repository of ["a/b", "c", "a/b"]) channel.send({ repository });
  await clock.advance(1_000);
  expect(asked).toEqual([
    ["a/b", 0],
    ["c", 0],
    ["a/b", 1],
    ["a/b", 2],
  ]);
  const traced = spans.getFinishedSpans().map(({ attributes }) => attributes["reconcile.request"]);
  expect(traced).toEqual(['"a/b"', '"c"', '"a/b"', '"a/b"']);
});

test("reports a request that is not plain data as an error of the handler", async () => {
  const { manager, clock, run, lines } = createTestManager();
  const channel = createChannel<{ at: Date }>();
  newTypedControllerManagedBy<{ at: Date }>(manager)
    .named("dates")
    .watchesRawSource(channelSource(channel, ({ object }, queue) => queue.add(object)))
    .complete(() => {});
  run();
  channel.send({ at: new Date(0) });
  await clock.advance(0);
  expect(lines("An event handler failed and the event is lost")[0]?.error).toContain(
    "the request.at is a Date",
  );
});
