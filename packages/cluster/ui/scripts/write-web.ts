/** Writes the page of the published package, with the licences of what it contains: `write-web.ts FOLDER`. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { clusterBundle, writeBundle } from "../src/index.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: write-web.ts FOLDER");
await writeBundle(folder, await clusterBundle());
const contained = ["@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono", "preact"];
for (const name of contained) {
  const license = join(import.meta.dirname, "../node_modules", name, "LICENSE");
  await copyFile(license, join(folder, `LICENSE-${name.split("/").at(-1)}.txt`));
}
