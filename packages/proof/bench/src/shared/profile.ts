import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

const most = 10;

/** Returns the functions that took the most time themselves. */
export async function profileLines(what: string, file: string): Promise<string[]> {
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, "utf8")) as CpuProfile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    // Leaves out what the profiler does at its start.
    if (frame === undefined || frame.functionName === "(idle)" || frame.url === "node:inspector") continue;
    const place =
      frame.url === ""
        ? ""
        : ` ${basename(dirname(frame.url))}/${basename(frame.url)}:${frame.lineNumber + 1}`;
    const name = `${frame.functionName || "(anonymous)"}${place}`;
    const time = timeDeltas[index] ?? 0;
    times.set(name, (times.get(name) ?? 0) + time);
    total += time;
  }
  const top = [...times].sort(([, a], [, b]) => b - a).slice(0, most);
  return [
    "",
    `Where the time of ${what}, went (${(total / 1_000).toFixed(0)} ms of the main thread):`,
    ...top.map(([name, time]) => `${((100 * time) / total).toFixed(0).padStart(4)} %  ${name}`),
  ];
}
