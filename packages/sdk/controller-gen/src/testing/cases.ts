import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseOptions } from "../command/options.ts";
import { generate } from "../generate.ts";
import { formatProblem } from "../problem.ts";

/**
 * Folders with the same types in Go and in TypeScript, and the files that controller-tools generates from the
 * Go types.
 */
export const testdata = join(import.meta.dirname, "testdata");

export interface TestCase {
  readonly name: string;
  /** The arguments of controller-gen, without paths and output. */
  readonly args: readonly string[];
}

export function testCases(): TestCase[] {
  return readdirSync(testdata, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(testdata, entry.name, "command.txt")))
    .map(({ name }) => ({
      name,
      args: readFileSync(join(testdata, name, "command.txt"), "utf8")
        .trim()
        .split(" "),
    }));
}

/** Returns the files that controller-tools has generated, by name. */
export function expectedFiles(name: string): Map<string, string> {
  const folder = join(testdata, name, "generated");
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

/** Returns the files that this package generates from the TypeScript types, by name. */
export function generatedFiles(
  name: string,
  args: readonly string[],
): { files: Map<string, string>; problems: string[] } {
  const { files, problems } = generate(
    parseOptions([...args, `paths=./${name}/...`, "output:dir=out"]),
    testdata,
  );
  return {
    files: new Map(files.map(({ path, text }) => [basename(path), text])),
    problems: problems.map(formatProblem),
  };
}
