import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { flagsOf, type HistoryKind } from "../run/history-kind.ts";

/** A mistake: one text in one file, and its replacement. */
export interface Mutant {
  /** Describes the mistake. */
  name: string;
  /** The package that has the file, without the scope. Default "informers". */
  library?: string;
  /** Below the package's src. */
  file: string;
  /** Occurs in the file exactly once. A few words are enough, so that the text survives edits around it. */
  find: string;
  replace: string;
  /** The histories that catch it. Default: the kind that `MutantsOptions` names. */
  kind?: HistoryKind;
}

export interface MutantsOptions {
  mutants: readonly Mutant[];
  /** The histories that a mutant without a kind of its own runs in. */
  kind: HistoryKind;
  /** The number of histories that have to catch a mutant. */
  count: number;
  /** Runs only the mutants whose name contains this text. */
  only?: string;
  /** Called for each mutant with its result. */
  onMutant?(name: string, result: string): void;
}

const folder = import.meta.dirname;

/** Returns why the mutant cannot be applied; undefined if it can. */
export async function whyNot({ library = "informers", file, find }: Mutant): Promise<string | undefined> {
  const sources =
    library === "faults"
      ? join(folder, "..")
      : // A file URL: this runs from sources alone.
        join(fileURLToPath(import.meta.resolve(`@operator-path/${library}`)), "..");
  const source = await readFile(join(sources, file), "utf8").catch(() => undefined);
  if (source === undefined) return `${file} does not exist`;
  const times = source.split(find).length - 1;
  return times === 1 ? undefined : `its text occurs ${times} times in ${file}, and must occur once`;
}

/**
 * Runs histories against each mutant, in a process of its own, until one fails. Returns the number of mutants
 * that survived or can no longer be applied.
 */
export async function runMutants(
  { mutants, kind, count, only = "", onMutant = () => {} }: MutantsOptions,
  print: (line: string) => void,
): Promise<number> {
  const chosen = mutants.filter(({ name }) => name.includes(only));
  if (chosen.length === 0) {
    print(`✗ no mutant's name contains ${JSON.stringify(only)}`);
    return 1;
  }
  let escaped = 0;
  for (const mutant of chosen) {
    const why = await whyNot(mutant);
    const { caught, text } = why
      ? { caught: false, text: why }
      : await runOne({ ...mutant, kind: mutant.kind ?? kind }, count);
    print(`${caught ? "✓" : "✗"} ${mutant.name}: ${text}`);
    onMutant(mutant.name, text);
    if (!caught) escaped++;
  }
  return escaped;
}

async function runOne(
  mutant: Mutant & { kind: HistoryKind },
  count: number,
): Promise<{ caught: boolean; text: string }> {
  const { code, stdout, stderr } = await run(mutant, [
    ...["--conditions=@operator-path/source", "--import", join(folder, "load.ts")],
    ...[join(folder, "../main.ts"), "faults", "--count", String(count), "--first"],
    ...flagsOf[mutant.kind],
  ]);
  const [, seed, problem = ""] = /^✗ seed (\d+): (.*)$/m.exec(stdout) ?? [];
  if (seed) return { caught: true, text: `caught by seed ${seed}: ${problem.slice(0, 120)}` };
  if (code === 0) return { caught: false, text: `survives ${count} histories` };
  return { caught: false, text: `does not run: ${stderr.trim().split("\n").slice(-3).join(" ")}` };
}

function run(mutant: Mutant, args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, FAULTS_MUTANT: JSON.stringify(mutant) };
    execFile(process.execPath, args, { env, timeout: 1_800_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}
