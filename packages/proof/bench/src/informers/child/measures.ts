import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { get } from "node:http";
import { Session } from "node:inspector/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../../sample.ts";
import type {
  EventFigures,
  Figures,
  KeptFigures,
  LatencyFigures,
  Measure,
  SyncFigures,
  Task,
} from "../measurement.ts";
import { firstEventVersion } from "../server/recording.ts";
import type { StartSubject } from "../subjects/subject.ts";

type Run<M extends Measure> = (task: Task, start: StartSubject, server: string) => Promise<Figures[M]>;

export const measures: { [M in Measure]: Run<M> } = { sync, events, latency, kept };

/** The paced events before those that count: meanwhile, code is compiled. */
const warmUp = 500;

async function sync({ objects, resource, profile }: Task, start: StartSubject): Promise<SyncFigures> {
  const counter = createCounter();
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  await sleep(50);
  collectGarbage();
  await sleep(50);
  const stopProfile = await startProfile(profile);
  lag.reset();
  const all = counter.reach(objects);
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const running = await start(resource, counter.onObject);
  await all;
  await running.synced;
  const wall = performance.now() - begin;
  const used = cpuSince(cpu);
  const peakRss = peakResident();
  // A stall is known when it is over.
  await sleep(20);
  await stopProfile();
  return { wall, cpu: used / 1_000, peakRss, stall: lag.max / 1e6 };
}

async function events(task: Task, start: StartSubject, server: string): Promise<EventFigures> {
  const counter = createCounter();
  await synced(task, start, counter);
  // The server prepares them.
  await ask(`${server}/bench/events?count=0`);
  await settle();
  const stopProfile = await startProfile(task.profile);
  const all = counter.reach(task.objects + task.events);
  const cpu = process.cpuUsage();
  const begin = performance.now();
  await ask(`${server}/bench/events?count=${task.events}`);
  await all;
  const wall = performance.now() - begin;
  const used = cpuSince(cpu);
  await stopProfile();
  return { perSecond: (task.events * 1_000) / wall, cpu: used / task.events };
}

async function latency(task: Task, start: StartSubject, server: string): Promise<LatencyFigures> {
  const arrived = new Float64Array(task.events);
  const counter = createCounter();
  const isEvent = (version: number) =>
    version >= firstEventVersion && version < firstEventVersion + task.events;
  const onObject = (key: string, resourceVersion: string) => {
    const version = Number(resourceVersion);
    if (isEvent(version)) arrived[version - firstEventVersion] = Number(process.hrtime.bigint()) / 1_000;
    counter.onObject(key, resourceVersion);
  };
  await synced(task, start, { ...counter, onObject });
  await settle();
  const stopProfile = await startProfile(task.profile);
  const all = counter.reach(task.objects + task.events);
  await ask(`${server}/bench/pace?count=${task.events}`);
  await all;
  await stopProfile();
  const sent = JSON.parse(await ask(`${server}/bench/sent`)) as number[];
  const times = sent.map((time, index) => (arrived[index] as number) - time).slice(warmUp);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

async function kept(task: Task, start: StartSubject): Promise<KeptFigures> {
  const counter = createCounter(false);
  await settle();
  const before = heap();
  const running = await synced(task, start, counter);
  await atRest();
  const bytes = (heap() - before) / task.objects;
  // Keeps the informer reachable until here.
  if (running.informer === undefined) throw new Error("the informer was not started");
  return { bytes };
}

/**
 * Waits until the heap has not shrunk for a second: some subjects compress unread objects in the background.
 */
async function atRest(): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let quiet = 0; quiet < 4; quiet++) {
    await sleep(250);
    collectGarbage();
    if (heap() < least * 0.998) quiet = -1;
    least = Math.min(least, heap());
  }
}

type Counter = ReturnType<typeof createCounter>;

/** A handler that enqueues keys like a controller's, and counts. */
function createCounter(enqueues = true) {
  const queue = new Set<string>();
  let count = 0;
  let target = Number.POSITIVE_INFINITY;
  let onReached = () => {};
  return {
    onObject(key: string, _resourceVersion: string): void {
      if (enqueues) queue.add(key);
      if (++count >= target) onReached();
    },
    reach(number: number): Promise<void> {
      target = number;
      return new Promise((resolve) => {
        onReached = resolve;
        if (count >= target) resolve();
      });
    },
  };
}

async function synced(task: Task, start: StartSubject, counter: Counter) {
  const all = counter.reach(task.objects);
  const running = await start(task.resource, counter.onObject);
  await all;
  await running.synced;
  return running;
}

/** Waits for background work, then collects garbage. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await sleep(100);
    collectGarbage();
  }
}

/** Starts a profile if there is a file for it. The returned function ends the profile and writes it. */
async function startProfile(file: string | undefined): Promise<() => Promise<void>> {
  if (file === undefined) return async () => {};
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 500 });
  await session.post("Profiler.start");
  return async () => {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    await writeFile(file, JSON.stringify(profile));
  };
}

function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error("run this with --expose-gc");
  globalThis.gc();
}

/** Bytes of JavaScript's heap, and of the buffers outside of it. */
function heap(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function cpuSince(earlier: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(earlier);
  return user + system;
}

function peakResident(): number {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  } catch {
    // Not Linux. On Linux, a process's peak begins with its parent's; elsewhere this is right.
    return process.resourceUsage().maxRSS * 1024;
  }
}

function ask(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${url}: ${text}`)),
      );
      response.on("error", reject);
    }).on("error", reject);
  });
}
