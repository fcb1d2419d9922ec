import { existsSync } from "node:fs";
import { join } from "node:path";
import { nodeOption, opensFence, pathOptions, takesNext } from "./node-options.ts";

/**
 * The words after `node` as they have to be for the host's Node: absolute paths of the container, up to the script,
 * become paths below its root; what would open the fence is left out. What stands behind `--` is the host's already.
 *
 * The script always comes behind `--`: were a word taken for the script that Node takes for an option's value, Node would
 * read options in what was not looked at here.
 */
export function hostArguments(args: readonly string[], root: string): string[] {
  const host = (path: string) =>
    path.startsWith("/") && existsSync(join(root, path)) ? join(root, path) : path;
  const mapped: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string;
    if (word === "--") return [...mapped, ...args.slice(i)];
    if (!word.startsWith("-") || word === "-") {
      // A script that is not there is for Node to miss, at the place where the container would have it.
      return [...mapped, "--", word.startsWith("/") ? join(root, word) : word, ...args.slice(i + 1)];
    }
    const option = nodeOption(word);
    const next = args[i + 1];
    const isTaken = takesNext(option, next);
    if (isTaken) i++;
    if (opensFence(option)) continue;
    const isPath = pathOptions.has(option.name);
    mapped.push(isPath && option.value !== undefined ? `${option.name}=${host(option.value)}` : word);
    if (isTaken) mapped.push(isPath ? host(next) : next);
  }
  return mapped;
}

/** An option before the script that is of no use in a container: Node would do something else than run a program. */
export function refusedOption(args: readonly string[]): string | undefined {
  for (const word of args) {
    if (word === "--" || !word.startsWith("-")) return undefined;
    const { name } = nodeOption(word);
    if (/^--(?:run|build-sea|experimental-sea-config|build-snapshot(?:-config)?)$/.test(name)) return name;
  }
  return undefined;
}
