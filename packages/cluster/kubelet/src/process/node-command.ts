import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import {
  environmentFileOptions,
  isHarmless,
  nodeOption,
  opensFence,
  pathOptions,
  takesNext,
} from "./node-options.ts";

/**
 * Returns the arguments for the host's Node. Absolute paths of the container, up to the script, become paths
 * below its root. Options that would open the fence are removed. What follows `--` belongs to the host
 * already.
 *
 * The script always follows a `--`. Otherwise Node might read a word as an option's value where this function
 * read it as the script, and would then accept unchecked options.
 *
 * @param contained returns the host's path of a file that Node reads before its permission model applies.
 *   Throws when a link leads out of the container
 */
export function hostArguments(
  args: readonly string[],
  root: string,
  contained: (path: string) => string = (path) => join(root, posix.resolve("/", path)),
): string[] {
  const hostOf = (name: string, path: string) => {
    if (environmentFileOptions.has(name)) return contained(path);
    return path.startsWith("/") && existsSync(join(root, path)) ? join(root, path) : path;
  };
  const mapped: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (word === "--") return [...mapped, ...args.slice(i)];
    if (!word.startsWith("-") || word === "-") {
      // Node reports a missing script with its path in the container's root.
      return [...mapped, "--", word.startsWith("/") ? join(root, word) : word, ...args.slice(i + 1)];
    }
    const option = nodeOption(word);
    const next = args[i + 1];
    const isTaken = takesNext(option, next);
    if (isTaken) i++;
    if (opensFence(option)) continue;
    const isPath = pathOptions.has(option.name);
    mapped.push(
      isPath && option.value !== undefined ? `${option.name}=${hostOf(option.name, option.value)}` : word,
    );
    if (isTaken) mapped.push(isPath ? hostOf(option.name, next) : next);
  }
  return mapped;
}

/** Returns the first option before the script that a container may not use. */
export function refusedOption(args: readonly string[]): string | undefined {
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (word === "--" || word === "-" || !word.startsWith("-")) return undefined;
    const option = nodeOption(word);
    if (!opensFence(option) && !isHarmless(option)) return option.name;
    if (takesNext(option, args[i + 1])) i++;
  }
  return undefined;
}
