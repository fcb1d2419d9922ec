import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { userDirectories } from "@operator-path/tools";

/**
 * Returns the program that a shell would start, as an absolute path in a folder without links. Undefined:
 * none.
 */
export function findOnPath(name: string, path: string): string | undefined {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      // The file may be a link whose name matters to the program (busybox), so only the folder is resolved.
      if (statSync(file).isFile())
        return realpathSync(folder) === folder ? file : join(realpathSync(folder), name);
    } catch {
      // The program is not in this folder.
    }
  }
  return undefined;
}

/**
 * Returns the command line of the pnpm that runs this process, or of the one on the PATH: a program, or a
 * script for Node.
 */
export function findPnpm(env: Readonly<Record<string, string | undefined>>): readonly string[] | undefined {
  const running = env.npm_execpath ?? "";
  const found = /pnpm[^/\\]*$/.test(running) ? running : findOnPath("pnpm", env.PATH ?? "");
  if (found === undefined) return undefined;
  return /\.[cm]?js$/.test(found) ? [process.execPath, found] : [found];
}

/** Returns a shell script for the PATH that runs the checkout's own `operator-sdk` from its sources. */
export function operatorSdkScript(): string {
  const manifest = createRequire(import.meta.url).resolve("@operator-path/operator-sdk/package.json");
  const main = join(dirname(manifest), "src", "main.ts");
  return shellCommand(sourceCommand(main));
}

/**
 * Returns the command line that runs a program of the checkout from its sources. The sources do not move, so all runs
 * of the user share what Node has compiled.
 *
 * @param env more arguments for `env`: `NAME=value`, or `-u` and a name
 */
export function sourceCommand(main: string, env: readonly string[] = []): string[] {
  const compiled = `NODE_COMPILE_CACHE=${join(userDirectories().cache, "compiled")}`;
  return ["/usr/bin/env", ...env, compiled, process.execPath, "--conditions=@operator-path/source", main];
}

/**
 * Returns a shell script that runs a command with its first arguments, and appends the arguments of the
 * script.
 */
export function shellCommand(command: readonly string[]): string {
  return `#!/bin/sh\nexec ${command.map(quote).join(" ")} "$@"\n`;
}

/** Quotes a text as one word of a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
