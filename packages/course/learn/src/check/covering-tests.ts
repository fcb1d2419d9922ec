import { localImportsOf } from "./imports.ts";

const testFile = /\.test\.[cm]?[jt]s$/;

/**
 * Returns the test files that import a file, also through other files. A test file covers itself.
 *
 * @param files path relative to the project → text
 */
export function testsCovering(file: string, files: ReadonlyMap<string, string>): string[] {
  return [...files.keys()].filter((path) => testFile.test(path) && reachableFrom(path, files).has(file));
}

/** Returns a file, and those of the project that it imports, also through other files. */
export function reachableFrom(
  path: string,
  files: ReadonlyMap<string, string>,
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const { path: imported } of localImportsOf(path, files.get(path) ?? "")) {
    const file = [imported, imported.replace(/\.js$/, ".ts"), `${imported}.ts`].find((one) => files.has(one));
    if (file !== undefined) reachableFrom(file, files, seen);
  }
  return seen;
}
