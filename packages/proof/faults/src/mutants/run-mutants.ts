import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mutant, mutants } from "./mutants.ts";

type Print = (line: string) => void;

const here = import.meta.dirname;

/** What runs against a mutant, and where its library is. */
export interface MutantProgram {
  /** The folder that has the sources of a library. */
  sourcesOf(library: string): string;
  /** The command line of histories that end with the first failure, without Node's own part. */
  commandFor(mutant: Mutant, count: number): string[];
}

const faults: MutantProgram = {
  // A file URL: this runs from sources alone.
  sourcesOf: (library) => join(fileURLToPath(import.meta.resolve(`@operator-path/${library}`)), ".."),
  commandFor: ({ isElection = false }, count) => [
    ...[join(here, "../main.ts"), "faults", "--count", String(count), "--first"],
    ...(isElection ? ["--elections"] : []),
  ],
};

/** Undefined when the mutant can be made. */
export async function whyNot(
  { library = "informers", file, find }: Mutant,
  { sourcesOf }: MutantProgram = faults,
): Promise<string | undefined> {
  const source = await readFile(join(sourcesOf(library), file), "utf8").catch(() => undefined);
  if (source === undefined) return `${file} is not there`;
  const times = source.split(find).length - 1;
  return times === 1 ? undefined : `its text stands ${times} times in ${file}, and must once`;
}

export interface MutantsOptions {
  /** Histories that a mutant has to be caught in. */
  count: number;
  /** Those whose name has this in it. */
  only?: string;
  /** Default: all that are listed. */
  among?: readonly Mutant[];
  /** Default: the histories of informers. */
  program?: MutantProgram;
  /** Told of each mutant what became of it. */
  onMutant?(name: string, fate: string): void;
}

/**
 * Runs histories against each mutant, in a process of its own, until one fails. Returns how many mutants were not caught,
 * or cannot be made any more.
 */
export async function runMutants(
  { count, only = "", among = mutants, program = faults, onMutant = () => {} }: MutantsOptions,
  print: Print,
): Promise<number> {
  const chosen = among.filter(({ name }) => name.includes(only));
  if (chosen.length === 0) {
    print(`✗ no mutant's name has ${JSON.stringify(only)} in it`);
    return 1;
  }
  let escaped = 0;
  for (const mutant of chosen) {
    const why = await whyNot(mutant, program);
    const { caught, fate } = why ? { caught: false, fate: why } : await fateOf(mutant, count, program);
    print(`${caught ? "✓" : "✗"} ${mutant.name}: ${fate}`);
    onMutant(mutant.name, fate);
    if (!caught) escaped++;
  }
  return escaped;
}

async function fateOf(
  mutant: Mutant,
  count: number,
  { commandFor }: MutantProgram,
): Promise<{ caught: boolean; fate: string }> {
  const node = ["--conditions=@operator-path/source", "--import", join(here, "load.ts")];
  const { code, stdout, stderr } = await run([...node, ...commandFor(mutant, count)], mutant);
  const [, seed, problem = ""] = /^✗ seed (\d+): (.*)$/m.exec(stdout) ?? [];
  if (seed) return { caught: true, fate: `caught by seed ${seed}: ${problem.slice(0, 120)}` };
  if (code === 0) return { caught: false, fate: `survives ${count} histories` };
  return { caught: false, fate: `it does not run: ${stderr.trim().split("\n").slice(-3).join(" ")}` };
}

function run(args: string[], mutant: Mutant) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, FAULTS_MUTANT: JSON.stringify(mutant) };
    execFile(process.execPath, args, { env, timeout: 300_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}
