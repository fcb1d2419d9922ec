import { systemClock } from "@operator-path/client";
import { drawRealHistory } from "./draw.ts";
import { runRealHistory } from "./run-history.ts";
import type { Target } from "./target.ts";

export interface ManyRealOptions {
  readonly from: number;
  readonly count: number;
  /** Histories that run side by side, each with its own objects and proxy. Default 8: they mostly wait. */
  readonly parallel?: number;
}

export interface RealSummary {
  readonly histories: number;
  readonly failed: number;
  readonly connections: number;
  readonly events: number;
  readonly seconds: number;
}

/**
 * Runs histories with the real clock, and checks that they leave no unhandled rejection, no socket and no
 * timer. Prints each failure with the line that replays it.
 */
export async function runManyReal(
  target: Target,
  { from, count, parallel = 8 }: ManyRealOptions,
  print: (line: string) => void,
): Promise<RealSummary> {
  const begun = performance.now();
  const unhandled: string[] = [];
  const onUnhandled = (reason: unknown) =>
    unhandled.push(reason instanceof Error ? `${reason.stack}` : `${reason}`);
  process.on("unhandledRejection", onUnhandled);
  const before = resources();
  const direct = target.connect({ userAgent: "history" });
  let failed = 0;
  let connections = 0;
  let events = 0;
  let next = from;
  const work = async () => {
    while (next < from + count) {
      const seed = next++;
      const outcome = await runRealHistory(drawRealHistory(seed), target, direct);
      const { problems } = outcome;
      connections += outcome.connections;
      events += outcome.events;
      if (problems.length === 0) continue;
      failed++;
      const replay = `pnpm proof faults --real --provider ${target.provider} --seed ${seed}`;
      print(`✗ ${target.provider}, seed ${seed}: ${problems.join("\n    ")}\n  replay: ${replay}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, work));
  await direct.close();
  const left = await leftOver(before);
  process.off("unhandledRejection", onUnhandled);
  for (const problem of [...unhandled.map((reason) => `unhandled rejection: ${reason}`), ...left]) {
    failed++;
    print(`✗ ${target.provider} at port ${target.port}, seeds ${from} to ${from + count - 1}: ${problem}`);
  }
  return { histories: count, failed, connections, events, seconds: (performance.now() - begun) / 1_000 };
}

type Counts = Readonly<Record<string, number>>;

function resources(): Counts {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/**
 * Returns the resources that were not released. Sockets take a moment to close at both ends, and the embedded
 * server's are in this process.
 */
async function leftOver(before: Counts): Promise<string[]> {
  const more = () =>
    Object.entries(resources())
      .filter(([name]) => /TCP|TLS|Timeout/.test(name))
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, count]) => count > 0);
  for (let tries = 0; more().length > 0 && tries < 100; tries++) await systemClock.sleep(100);
  return more().map(([name, count]) => `${count} more ${name} than before; ${openSockets()}`);
}

/** Their ports tell the target's sockets, which are printed with them, from those of a proxy. */
function openSockets(): string {
  // Looks up no host names. @types/node does not have this option yet.
  Object.assign(process.report, { excludeNetwork: true });
  const { libuv } = process.report.getReport() as unknown as { libuv: Record<string, unknown>[] };
  return JSON.stringify(libuv.filter(({ type }) => type === "tcp"));
}
