import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { CommandLineError } from "./arguments.ts";

/**
 * Returns Node's options before the main file: those of this process, plus tsx if the project uses it.
 *
 * @throws CommandLineError when the project's package.json cannot be read, or tsx is not installed
 */
export function nodeArguments(main: string, own: readonly string[] = process.execArgv): string[] {
  if (!/\.[cm]?tsx?$/.test(main) || own.some((each) => each.includes("tsx")) || !usesTsx(dirname(main)))
    return [...own];
  return [...own, "--import", tsxOf(main)];
}

function tsxOf(main: string): string {
  try {
    return pathToFileURL(createRequire(main).resolve("tsx")).href;
  } catch {
    throw new CommandLineError(
      "package.json lists tsx, which is not installed: install the project's packages",
    );
  }
}

/** Looks in the nearest package.json. */
function usesTsx(folder: string): boolean {
  const manifest = join(folder, "package.json");
  if (existsSync(manifest)) {
    const { dependencies, devDependencies } = readJson(manifest);
    return Boolean(dependencies?.tsx ?? devDependencies?.tsx);
  }
  return dirname(folder) !== folder && usesTsx(dirname(folder));
}

function readJson(path: string): Record<string, Record<string, string> | undefined> {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CommandLineError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
