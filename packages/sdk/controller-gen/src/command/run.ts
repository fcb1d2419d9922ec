import { generate } from "../generate.ts";
import { formatProblem, OptionError } from "../problem.ts";
import { controllerToolsVersion } from "../version.ts";
import { staleFiles, writeFiles } from "./files.ts";
import { helpText, markersText } from "./help.ts";
import { parseOptions } from "./options.ts";
import { types } from "./types.ts";

/** The parts of the process that a command uses. */
export interface Surroundings {
  /** The working directory. Absolute. */
  readonly cwd: string;
  /** Writes text to standard output. */
  readonly stdout: (text: string) => void;
  /** Writes text to standard error. */
  readonly stderr: (text: string) => void;
}

/**
 * Runs controller-gen.
 *
 * @param args the command line without the program's name
 * @returns the exit code: 0, or 1 after an error; no file is written then
 */
export function runControllerGen(args: readonly string[], { cwd, stdout, stderr }: Surroundings): number {
  const flags = args.filter((arg) => arg.startsWith("-"));
  const has = (...names: readonly string[]): boolean => flags.some((flag) => names.includes(flag));
  try {
    const unknown = flags.find((flag) => !knownFlags.includes(flag));
    if (unknown !== undefined)
      throw new OptionError(`there is no flag ${unknown}: the flags are ${knownFlags.join(", ")}`);
    const twice = flags.find((flag, index) => flags.indexOf(flag) !== index);
    if (twice !== undefined) throw new OptionError(`${twice} is given twice: give it once`);
    if (has("--help", "-h")) return print(stdout, helpText);
    if (has("--version")) return print(stdout, `Version: ${controllerToolsVersion}\n`);
    if (has("--which-markers", "-w")) return print(stdout, markersText());
    const words = args.filter((arg) => !arg.startsWith("-"));
    const {
      files,
      stdout: printed,
      problems,
    } = words[0] === "types"
      ? { ...types(words.slice(1), cwd), problems: [] }
      : generate(parseOptions(words), cwd);
    if (problems.length > 0) {
      for (const problem of problems) stderr(`${formatProblem(problem)}\n`);
      return 1;
    }
    stdout(printed);
    if (!has("--check")) {
      writeFiles(files, cwd);
      return 0;
    }
    const stale = staleFiles(files, cwd);
    for (const file of stale) stderr(`${file} is out of date: run the same command without --check\n`);
    return stale.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    stderr(`controller-gen: ${error.message}\n`);
    return 1;
  }
}

const knownFlags = ["--check", "--help", "-h", "--version", "--which-markers", "-w"];

function print(stdout: (text: string) => void, text: string): number {
  stdout(text);
  return 0;
}
