import { posix } from "node:path";
import { parseSync } from "oxc-parser";

const testFile = /\.test\.[cm]?[jt]s$/;
const code = /\.[cm]?[jt]s$/;

/**
 * Returns the test files that import a file, also through other files. A test file covers itself.
 *
 * @param files path relative to the project → text
 */
export function testsCovering(file: string, files: ReadonlyMap<string, string>): string[] {
  return [...files.keys()].filter((path) => testFile.test(path) && reachableFrom(path, files).has(file));
}

function reachableFrom(
  path: string,
  files: ReadonlyMap<string, string>,
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const imported of importsOf(path, files.get(path) ?? "")) {
    const file = [imported, imported.replace(/\.js$/, ".ts"), `${imported}.ts`].find((one) => files.has(one));
    if (file !== undefined) reachableFrom(file, files, seen);
  }
  return seen;
}

function importsOf(path: string, text: string): string[] {
  if (!code.test(path)) return [];
  const { module } = parseSync(path, text);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => (moduleRequest ? [moduleRequest.value] : [])),
    ),
  ];
  return requests
    .filter((request) => request.startsWith("."))
    .map((request) => posix.join(posix.dirname(path), request));
}
