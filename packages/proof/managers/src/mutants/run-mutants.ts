import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type MutantProgram, type MutantsOptions, runMutants as runAll } from "@operator-path/faults";
import { type ManagerMutant, mutants } from "./mutants.ts";

const sources = join(import.meta.dirname, "..");

/** Histories of managers, against a mutant of what they run on. */
export const program: MutantProgram = {
  // A file URL: this runs from sources alone.
  sourcesOf: (library) =>
    library === "managers"
      ? sources
      : join(fileURLToPath(import.meta.resolve(`@operator-path/${library}`)), ".."),
  commandFor: (mutant, count) => [
    ...[join(sources, "main.ts"), "faults", "--managers", "--count", String(count), "--first"],
    ...((mutant as ManagerMutant).kind === "pairs" ? ["--pairs"] : []),
  ],
};

/** Returns how many mutants were not caught, or cannot be made any more. */
export function runMutants(
  options: Omit<MutantsOptions, "program">,
  print: (line: string) => void,
): Promise<number> {
  return runAll({ among: mutants, ...options, program }, print);
}
