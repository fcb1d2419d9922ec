/** For `--import`: loads a library with the mutant that FAULTS_MUTANT describes as JSON. */
import { registerHooks } from "node:module";
import type { Mutant } from "./run-mutants.ts";

const {
  library = "informers",
  file,
  find,
  replace,
} = JSON.parse(process.env.FAULTS_MUTANT ?? "{}") as Mutant;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(`/${library}/src/${file}`)) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString("utf8");
    return { ...loaded, source: source.replace(find, () => replace) };
  },
});
