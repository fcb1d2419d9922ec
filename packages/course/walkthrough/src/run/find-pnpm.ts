import { findOnPath } from "./find-on-path.ts";

/** The command line of the pnpm that runs us, or of the one on the PATH: a program of its own, or a script for Node. */
export function findPnpm(env: Readonly<Record<string, string | undefined>>): readonly string[] | undefined {
  const running = env.npm_execpath ?? "";
  const found = /pnpm[^/\\]*$/.test(running) ? running : findOnPath("pnpm", env.PATH ?? "");
  if (found === undefined) return undefined;
  return /\.[cm]?js$/.test(found) ? [process.execPath, found] : [found];
}
