/** `pnpm run docs`: builds the API reference and the pages as a static site, in the checkout's folder `site`. */
import { join } from "node:path";
import { buildSite } from "./site/build-site.ts";
import { readContents } from "./site/contents.ts";

const root = join(import.meta.dirname, "../..");
const problems = await buildSite({ ...readContents(root), root, out: join(root, "site") });
for (const problem of problems) console.error(`error: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log("site has the reference and the pages: open site/index.html");
