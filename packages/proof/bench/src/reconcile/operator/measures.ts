import { readFileSync } from "node:fs";
import { quantile } from "../../sample.ts";
import type { Memory, OperatorFigures } from "../measurement.ts";

interface Metrics {
  getSingleMetric(
    name: string,
  ): { get(): Promise<{ values: { labels: object; value: number }[] }> } | undefined;
}

/** Returns the resources that one process has used. @param spawned nanoseconds of the monotonic clock */
export function createMeasures(spawned: number) {
  let start = 0;
  /** Milliseconds since the process was spawned. */
  const now = () => Number(process.hrtime.bigint() - BigInt(spawned)) / 1e6;
  return {
    now,
    started() {
      start = now();
    },
    async figures(settle: number, queueWaits: readonly number[], metrics: Metrics): Promise<OperatorFigures> {
      const { user, system } = process.cpuUsage();
      const peakRss = peakResident();
      return {
        ...{ settle, start, peakRss, cpu: (user + system) / 1_000, reconciles: queueWaits.length },
        queueWait: quantile(queueWaits, 0.99),
        requests: await requestCounts(metrics),
        ...memory(),
      };
    },
  };
}

async function requestCounts(metrics: Metrics): Promise<Record<string, number>> {
  const { values } = (await metrics.getSingleMetric("rest_client_requests_total")?.get()) ?? { values: [] };
  return Object.fromEntries(
    values.map(({ labels, value }) => {
      const { method, code } = labels as { method: string; code: string };
      return [`${method} ${code}`, value];
    }),
  );
}

/** Returns bytes by a field of /proc/self/status; undefined without /proc. */
function statusField(name: string): number | undefined {
  try {
    const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync("/proc/self/status", "utf8"));
    return found ? Number(found[1]) * 1024 : undefined;
  } catch {
    // Not Linux.
    return undefined;
  }
}

const peakResident = (): number => statusField("VmHWM") ?? process.resourceUsage().maxRSS * 1024;

function memory(): { memory?: Memory } {
  const program = statusField("RssFile");
  const own = statusField("RssAnon");
  if (program === undefined || own === undefined) return {};
  const { heapTotal } = process.memoryUsage();
  return { memory: { program, heap: heapTotal, rest: Math.max(0, own - heapTotal) } };
}
