import * as dockerignoreModule from "@balena/dockerignore";
import { UserError } from "../user-error.ts";

/** Each wildcard multiplies the work of matching a path. No pattern that a person writes has so many. */
const maxWildcards = 10;

/**
 * Reads a .dockerignore.
 * @param shown what an error calls the file
 * @returns whether a path of the project, `a/b`, is left out
 * @throws UserError naming the line of a pattern with too many wildcards
 */
export function readIgnoreFile(text: string, shown: string): (path: string) => boolean {
  const patterns = text.split("\n").map((line, i) => {
    // `**/**/` matches what `**/` matches, and takes exponentially longer.
    const short = line.replace(/(?:\*\*\/)+/g, "**/");
    const count = short.match(/\*+|\?/g)?.length ?? 0;
    if (count > maxWildcards && !short.trimStart().startsWith("#"))
      throw new UserError(`${shown}:${i + 1}: ${count} wildcards in one pattern, of ${maxWildcards} at most`);
    return short;
  });
  // The package is CommonJS, but its types declare an ES module.
  const dockerignore = dockerignoreModule.default as unknown as typeof dockerignoreModule.default.default;
  const ignore = dockerignore({ ignorecase: false }).add(patterns.join("\n"));
  return (path) => path !== "" && ignore.ignores(path);
}
