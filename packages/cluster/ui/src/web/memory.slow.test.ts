import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Client, configMaps, createClient } from "@operator-path/client";
import { type SpawnedCluster, spawnEmbeddedCluster } from "@operator-path/cluster";
import type { Browser, CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClusterPage, openClusterPage } from "../open-cluster-page.ts";
import { hasChromium, launchChromium } from "../testing/chromium.ts";

/** As many as a busy cluster has in an hour: 17 a second. */
const changes = 60_000;
const objects = 100;

let cluster: SpawnedCluster;
let client: Client;
let view: ClusterPage;
let browser: Browser;

describe.skipIf(!hasChromium())("an hour of a busy cluster", () => {
  beforeAll(async () => {
    cluster = await spawnEmbeddedCluster();
    client = createClient(cluster.kubeConfig);
    view = await openClusterPage({ kubeConfig: cluster.kubeConfig });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await view?.close();
    await client?.close();
    await cluster?.stop();
  });

  test("grows neither the server nor the page, between the first third and the last", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    await page.goto(view.createUrl());
    const maps = client.resource(configMaps).namespace("default");
    const text = "x".repeat(1000);
    const name = (index: number) => `settings-${index % objects}`;
    for (let index = 0; index < objects; index++)
      await maps.create({ metadata: { name: name(index) }, data: { text } });
    await page.locator(".node").first().waitFor();

    const change = (index: number) => maps.patch(name(index), { data: { n: `${index}` } }, { type: "merge" });
    await inParallel(changes / 3, change);
    const first = await heaps(devtools);
    await inParallel((2 * changes) / 3, (index) => change(changes / 3 + index));
    const last = await heaps(devtools);

    console.log(`after ${changes / 3} changes: ${show(first)}; after ${changes}: ${show(last)}`);
    expect(last.server).toBeLessThan(first.server * 1.1);
    expect(last.page).toBeLessThan(first.page * 1.1);
  }, 900_000);
});

interface Heaps {
  /** Bytes of this process, which runs the model and its server, and of the page, after garbage collection. */
  readonly server: number;
  readonly page: number;
}

async function heaps(devtools: CDPSession): Promise<Heaps> {
  // The page has drawn all entries when its newest time no longer changes.
  let seen = "";
  await expect
    .poll(
      async () => {
        const { result } = await devtools.send("Runtime.evaluate", {
          expression: "document.querySelector('.timeline-current time')?.textContent",
        });
        const isSame = seen === result.value;
        seen = String(result.value);
        return isSame;
      },
      { interval: 1000, timeout: 60_000 },
    )
    .toBe(true);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  await devtools.send("HeapProfiler.collectGarbage");
  const { metrics } = await devtools.send("Performance.getMetrics");
  const { heapUsed, external } = process.memoryUsage();
  return {
    server: heapUsed + external,
    page: metrics.find((metric) => metric.name === "JSHeapUsedSize")?.value ?? 0,
  };
}

function show({ server, page }: Heaps): string {
  return `server ${(server / 1e6).toFixed(1)} MB, page ${(page / 1e6).toFixed(1)} MB`;
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
