import { delimiter, sep } from "node:path";
import { executablesOnPath } from "@operator-path/tools";

type Environment = Readonly<Record<string, string | undefined>>;

/** Tells the course's commands in the learner's shell how the learner calls pnpm in other shells. */
export const pnpmVariable = "OPERATOR_PATH_PNPM";

/**
 * Returns how this person calls pnpm in a shell of their own: `pnpm`, or `npx --yes pnpm@12` if their PATH has
 * none.
 */
export async function pnpmCommand(env: Environment): Promise<string> {
  const known = env[pnpmVariable];
  if (known !== undefined) return known;
  const [own] = await executablesOnPath("pnpm", { ...env, PATH: personalPath(env) });
  return own === undefined ? "npx --yes pnpm@12" : "pnpm";
}

/** Returns the PATH without the folders that npx and pnpm add for a script. */
export function personalPath({ PATH = "" }: Environment): string {
  return PATH.split(delimiter)
    .filter((entry) => !isOfScript(entry))
    .join(delimiter);
}

function isOfScript(entry: string): boolean {
  return entry.split(sep).includes("node_modules") || entry.endsWith("node-gyp-bin");
}
