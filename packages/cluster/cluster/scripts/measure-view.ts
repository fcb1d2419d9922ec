import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { configMaps, createClient, deployments, KubeConfig, namespaces } from "@operator-path/client";
import { clusterBundle, createUiServer, openClusterModel, serveCluster } from "@operator-path/ui";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { spawnEmbeddedCluster } from "../src/index.ts";

// Measures the view in Chromium, with 500 objects: paint, weight, delay, frames, and memory after many changes. The
// cluster runs in its own process. The model, the server and the driver of the browser share one.
//
// node --expose-gc --conditions=@operator-path/source packages/cluster/cluster/scripts/measure-view.ts

const objects = 500;
const burst = Number(process.env.BURST ?? 20_000);
const namespace = "shop";

const cluster = await spawnEmbeddedCluster({ name: "measure" });
const kubeConfig = new KubeConfig();
kubeConfig.loadFromFile(cluster.kubeconfigPath);
const client = createClient(kubeConfig, { userAgent: "measure-view" });
await client.resource(namespaces).create({ metadata: { name: namespace } });
const maps = client.resource(configMaps).namespace(namespace);
const name = (index: number) => `settings-${String(index).padStart(3, "0")}`;
await inParallel(objects, async (index) => {
  await maps.create({ metadata: { name: name(index) }, data: { text: "x".repeat(500) } });
});
const stop = new AbortController();
const model = await openClusterModel({
  client,
  cluster: { context: "measure", server: "" },
  signal: stop.signal,
});
await model.waitForSync();
const bundle = await clusterBundle();
const server = await createUiServer({ bundle, title: "measure" });
serveCluster(server, { model, client });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const devtools = await page.context().newCDPSession(page);
await devtools.send("Performance.enable");
await page.goto(server.url);
await page.locator(".node").first().waitFor();

await reportPaint(page);
await reportDelay(page);
await reportFrames(page);
await reportMemory(devtools);

await browser.close();
await server.close();
stop.abort();
await model.done;
await client.close();
await cluster.stop();

async function reportPaint(page: Page): Promise<void> {
  const paints: number[] = [];
  const graphs: number[] = [];
  for (let run = 0; run < 9; run++) {
    await page.reload();
    await page.locator(".node").first().waitFor();
    const [paint, graph] = await page.evaluate<[number, number]>(
      `[performance.getEntriesByName("first-contentful-paint")[0].startTime, performance.now()]`,
    );
    paints.push(paint);
    graphs.push(graph);
  }
  const bytes = [...bundle.files.values()].reduce((sum, { body }) => sum + body.byteLength, 0);
  console.log(
    `first paint ${show(paints)} ms, objects shown ${show(graphs)} ms (reloads, fonts and scripts cached)`,
  );
  console.log(`bundle ${(bytes / 1000).toFixed(0)} kB, uncompressed, with fonts`);
}

/** A new Deployment appears above all ConfigMaps, so that each of them moves. */
async function reportDelay(page: Page): Promise<void> {
  const received = new Map<string, number>();
  model.subscribe({
    entry: (entry) => entry.type === "added" && received.set(entry.name, Date.now()),
    reset: () => {},
  });
  await page.evaluate(`window.seen = {};
    new MutationObserver(() => {
      for (const node of document.querySelectorAll(".node"))
        window.seen[node.title.split("\\n")[0].split(" ")[1]] ??= Date.now();
    }).observe(document.querySelector(".graph"), { childList: true, subtree: true });`);
  for (let index = 0; index < 30; index++) {
    await addDeployment(`delay-${index}`);
    await sleep(150);
  }
  const seen = await page.evaluate<Record<string, number>>("window.seen");
  const delays = [...received].flatMap(([name, at]) => (seen[name] === undefined ? [] : [seen[name] - at]));
  console.log(
    `from the watch to the document ${show(delays)} ms (${delays.length} additions at ${objects} objects)`,
  );
}

async function reportFrames(page: Page): Promise<void> {
  const before = browserSeconds();
  const frames = page.evaluate<number>(`new Promise((resolve) => {
    let frames = 0;
    const end = performance.now() + 5000;
    const count = () => (performance.now() < end ? (frames++, requestAnimationFrame(count)) : resolve(frames / 5));
    requestAnimationFrame(count);
  })`);
  let changes = 0;
  const end = Date.now() + 5000;
  while (Date.now() < end) {
    await addDeployment(`frames-${changes++}`);
    await sleep(40);
  }
  const rate = await frames;
  const milliseconds = (1000 * (browserSeconds() - before)) / (5 * rate);
  console.log(
    `${rate.toFixed(0)} frames a second during ${(changes / 5).toFixed(0)} additions a second; ` +
      `a frame took ${milliseconds.toFixed(0)} ms of CPU in all of Chromium's processes, which draw without a GPU`,
  );
  const idle = browserSeconds();
  await sleep(5000);
  console.log(`without changes, Chromium took ${(20 * (browserSeconds() - idle)).toFixed(0)} % of a CPU`);
}

async function reportMemory(devtools: CDPSession): Promise<void> {
  const measure = async (when: string) => {
    await sleep(1500);
    globalThis.gc?.();
    await devtools.send("HeapProfiler.collectGarbage");
    const { heapUsed, external } = process.memoryUsage();
    const { metrics } = await devtools.send("Performance.getMetrics");
    const heap = metrics.find((metric) => metric.name === "JSHeapUsedSize")?.value ?? 0;
    const [server, own] = [heapUsed + external, heap].map((bytes) => (bytes / 1e6).toFixed(1));
    console.log(
      `${when}: server's process ${server} MB, page ${own} MB, ${model.history.entries.length} entries`,
    );
  };
  await measure("before the burst");
  for (const part of [1, 2]) {
    const cpu = process.cpuUsage();
    const begun = Date.now();
    await inParallel(burst / 2, async (index) => {
      await maps.patch(name(index % objects), { data: { n: `${part} ${index}` } }, { type: "merge" });
    });
    const { user, system } = process.cpuUsage(cpu);
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    await measure(
      `after ${(part * burst) / 2} changes (${seconds} s, ${((user + system) / 1e6).toFixed(1)} s of CPU)`,
    );
  }
}

async function addDeployment(name: string): Promise<void> {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  await client
    .resource(deployments)
    .namespace(namespace)
    .create({ metadata: { name }, spec: { replicas: 0, selector: { matchLabels: labels }, template } });
}

async function inParallel(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** Returns the CPU time of Chromium's processes below this one, from /proc. Linux only. */
function browserSeconds(): number {
  const processes = readdirSync("/proc").flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const fields = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      const [, parent = 0] = fields;
      const isBrowser = readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("chrom");
      return [{ pid: Number(pid), parent, isBrowser, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) }];
    } catch {
      // Not a process, or it has just exited.
      return [];
    }
  });
  const below = new Set([process.pid]);
  for (let size = 0; size !== below.size; ) {
    size = below.size;
    for (const { pid, parent } of processes) if (below.has(parent)) below.add(pid);
  }
  const own = processes.filter(({ pid, isBrowser }) => isBrowser && below.has(pid));
  return own.reduce((sum, { ticks }) => sum + ticks, 0) / 100;
}

/** Returns the median and the largest. */
function show(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const [median = 0, largest = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
  return `${median.toFixed(0)} (at most ${largest.toFixed(0)})`;
}
