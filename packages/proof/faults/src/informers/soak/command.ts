import { join } from "node:path";
import { soak } from "./soak.ts";

export interface SoakFlags {
  minutes: number;
  objects: number;
  seed?: number;
  /** Where soak.md and soak.svg go. Default: the package's folder `reports`. */
  report?: string;
}

/** `pnpm proof faults --soak`. Returns how much was not as it should be. */
export async function runSoak(flags: SoakFlags, print: (line: string) => void): Promise<number> {
  const { minutes, objects, seed = 1, report = join(import.meta.dirname, "../../reports") } = flags;
  const command = `pnpm proof faults --soak --minutes ${minutes} --objects ${objects} --seed ${seed}`;
  const options = { minutes, objects, seed: String(seed), writesPerSecond: 60, silence: 10_000 };
  const { wrong } = await soak({ ...options, calm: false, report, command }, print);
  for (const line of wrong) print(`✗ ${line}`);
  print(
    wrong.length === 0 ? "✓ every cache and handler equal to every list, memory flat" : `report: ${report}`,
  );
  return wrong.length;
}
