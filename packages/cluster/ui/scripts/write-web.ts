/** Writes the page of the published package: `write-web.ts FOLDER`. */
import { clusterBundle, writeBundle } from "../src/index.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: write-web.ts FOLDER");
await writeBundle(folder, await clusterBundle());
