import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { basename, extname, join } from "node:path";

/** `.ts` in the sources, `.js` in a build. */
const ending = extname(import.meta.filename);

/**
 * Writes the modules of `preload/` as JavaScript. A container's process then need not strip types before its
 * program begins, and can read these files but none of this package.
 * @returns the folder
 */
export async function writePreload(folder: string): Promise<string> {
  const sources = join(import.meta.dirname, "preload");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(sources)).filter(
    (name) => name.endsWith(ending) && !name.endsWith(`.test${ending}`),
  );
  await Promise.all(
    names.map(async (name) => {
      const source = await readFile(join(sources, name), "utf8");
      const code = ending === ".ts" ? stripTypes(source) : source;
      const linked = code.replace(/(from ")(\.\/[\w-]+)\.[jt]s"/g, '$1$2.mjs"');
      await writeFile(join(folder, `${basename(name, ending)}.mjs`), linked);
    }),
  );
  return folder;
}

/**
 * Strips the types. Hides Node's warning that this function is experimental, because users of a cluster
 * cannot act on it.
 */
function stripTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
