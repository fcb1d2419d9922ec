import { generate } from "../generate.ts";
import { OptionError } from "../option-error.ts";
import { formatProblem } from "../problem.ts";
import { controllerToolsVersion } from "../version.ts";
import { staleFiles, writeFiles } from "./files.ts";
import { helpText, markersText } from "./help.ts";
import { parseOptions } from "./options.ts";
import { types } from "./types.ts";

/** What a command needs of the process around it. */
export interface Surroundings {
  /** Absolute. */
  readonly cwd: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** Runs controller-gen; returns the exit code: 0, or 1 when anything is wrong, and then nothing has been written. */
export function runControllerGen(args: readonly string[], { cwd, stdout, stderr }: Surroundings): number {
  const flags = args.filter((arg) => arg.startsWith("-"));
  const has = (...names: readonly string[]): boolean => flags.some((flag) => names.includes(flag));
  try {
    const unknown = flags.find((flag) => !knownFlags.includes(flag));
    if (unknown !== undefined)
      throw new OptionError(`there is no flag ${unknown}: there are ${knownFlags.join(", ")}`);
    const twice = flags.find((flag, index) => flags.indexOf(flag) !== index);
    if (twice !== undefined) throw new OptionError(`${twice} is given twice: give it once`);
    if (has("--help", "-h")) return say(stdout, helpText);
    if (has("--version")) return say(stdout, `Version: ${controllerToolsVersion}\n`);
    if (has("--which-markers", "-w")) return say(stdout, markersText());
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
    for (const file of stale)
      stderr(`${file} is not what the types say: run the same command without --check\n`);
    return stale.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    stderr(`controller-gen: ${error.message}\n`);
    return 1;
  }
}

const knownFlags = ["--check", "--help", "-h", "--version", "--which-markers", "-w"];

function say(stdout: (text: string) => void, text: string): number {
  stdout(text);
  return 0;
}
