import { readFileSync } from "node:fs";
import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";

/** Adds the metrics of this process to a registry. Does nothing the second time. */
export function collectProcessMetrics(registry: Registry): void {
  if (registry.getSingleMetric("process_cpu_seconds_total")) return;
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  if (process.platform !== "linux" || canReadMemory()) return;
  // prom-client reads /proc/self/status and reports 0 where Node's permission model hides it. Node itself
  // still knows this value.
  const resident = "process_resident_memory_bytes";
  for (const name of [resident, "process_virtual_memory_bytes", "process_heap_bytes"]) {
    registry.removeSingleMetric(name);
  }
  if (residentMemory() === undefined) return;
  new Gauge({
    name: resident,
    help: "Resident memory size in bytes.",
    registers: [registry],
    collect() {
      const bytes = residentMemory();
      if (bytes !== undefined) this.set(bytes);
    },
  });
}

/** @returns bytes, or undefined where there is no /proc */
function residentMemory(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}

function canReadMemory(): boolean {
  try {
    return readFileSync("/proc/self/status", "utf8").includes("VmRSS");
  } catch {
    return false;
  }
}
