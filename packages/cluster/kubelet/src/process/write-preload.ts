import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { basename, extname, join } from "node:path";

/** As this module, which is built or is not. */
const ending = extname(import.meta.filename);

/**
 * Writes the modules of `preload/` as JavaScript: so that a container's process need not strip types before its own
 * program begins, and may read these files and none of ours.
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

/** Hides Node's warning that this function is experimental, which the user of a cluster can do nothing about. */
function stripTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
