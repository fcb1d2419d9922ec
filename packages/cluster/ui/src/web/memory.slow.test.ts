import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClusterModel, openClusterModel } from "../cluster/open-cluster-model.ts";
import { serveCluster } from "../cluster/serve-cluster.ts";
import { clusterBundle } from "../open-cluster-page.ts";
import { createUiServer, type UiServer } from "../server/create-ui-server.ts";
import { createBusyCluster } from "../testing/busy-cluster.ts";
import { hasChromium, launchChromium } from "../testing/chromium.ts";

/** As many as a busy cluster has in an hour: 17 a second. An API server would need minutes for them. */
const changes = 60_000;
/** Changes that the page draws before the next ones come. A page that is behind would receive a snapshot instead. */
const batch = 500;

const stop = new AbortController();
const cluster = createBusyCluster();
let model: ClusterModel;
let server: UiServer;
let browser: Browser;

describe.skipIf(!hasChromium())("an hour of a busy cluster", () => {
  beforeAll(async () => {
    const { client } = cluster;
    const name = { context: "busy", server: "" };
    model = await openClusterModel({ client, cluster: name, signal: stop.signal });
    server = await createUiServer({ bundle: await clusterBundle(), title: "busy" });
    serveCluster(server, { model, client });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    stop.abort();
    await model?.done;
  });

  test("grows neither the server nor the page, between the first third and the last", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Performance.enable");
    await page.goto(server.url);
    await model.waitForPast();

    await changeAndDraw(page, changes / 3);
    const first = await heaps(devtools);
    await changeAndDraw(page, (2 * changes) / 3);
    const last = await heaps(devtools);

    console.log(`after ${changes / 3} changes: ${show(first)}; after ${changes}: ${show(last)}`);
    expect(last.server).toBeLessThan(first.server * 1.1);
    // A tenth of the page's heap is less than what one collection of garbage leaves and another does not.
    expect(last.page).toBeLessThan(first.page + 1.5e6);
  });
});

async function changeAndDraw(page: Page, count: number): Promise<void> {
  let seen = 0;
  const unsubscribe = model.subscribe({ entry: () => seen++, reset() {} });
  for (let made = batch; made <= count; made += batch) {
    cluster.change(batch - 2);
    // Changes and Events come from two watches. The mark is the last of both.
    await expect.poll(() => seen, { interval: 5 }).toBe(made - 2);
    cluster.mark(`mark-${made}`);
    await page.locator(".timeline-current", { hasText: `mark-${made} deleted` }).waitFor();
  }
  unsubscribe();
}

interface Heaps {
  /** Bytes of this process, which runs the model and its server, and of the page, after garbage collection. */
  readonly server: number;
  readonly page: number;
}

async function heaps(devtools: CDPSession): Promise<Heaps> {
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
