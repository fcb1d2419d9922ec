import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { userDirectories } from "@operator-path/tools";

/** The program that a shell would start, as an absolute path without links, or undefined. */
export function findOnPath(name: string, path: string): string | undefined {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      // A link is kept when its name matters to the program (busybox); otherwise it is the same file.
      if (statSync(file).isFile())
        return realpathSync(folder) === folder ? file : join(realpathSync(folder), name);
    } catch {
      // Not here: the next folder.
    }
  }
  return undefined;
}

/** The command line of the pnpm that runs us, or of the one on the PATH: a program of its own, or a script for Node. */
export function findPnpm(env: Readonly<Record<string, string | undefined>>): readonly string[] | undefined {
  const running = env.npm_execpath ?? "";
  const found = /pnpm[^/\\]*$/.test(running) ? running : findOnPath("pnpm", env.PATH ?? "");
  if (found === undefined) return undefined;
  return /\.[cm]?js$/.test(found) ? [process.execPath, found] : [found];
}

/** Text of a shell script that is `operator-sdk` to whoever has it on the PATH: the checkout's own, from its sources. */
export function operatorSdkScript(): string {
  const manifest = createRequire(import.meta.url).resolve("@operator-path/operator-sdk/package.json");
  const main = join(dirname(manifest), "src", "main.ts");
  // As for the cluster's process: sources that stay where they are need not be compiled for each run.
  const compiled = `NODE_COMPILE_CACHE=${join(userDirectories().cache, "compiled")}`;
  return shellCommand([
    "/usr/bin/env",
    compiled,
    process.execPath,
    "--conditions=@operator-path/source",
    main,
  ]);
}

/** Text of a shell script that is a command with its first arguments, and hands on those that it is given. */
export function shellCommand(command: readonly string[]): string {
  return `#!/bin/sh\nexec ${command.map(quote).join(" ")} "$@"\n`;
}

/** One word of a POSIX shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
