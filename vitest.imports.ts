/**
 * Resolves "./file.ts" in the repository's own modules, without vitest.
 *
 * vitest's hook sends each import to its main process, which keeps a graph of the modules. Only watch mode reads that
 * graph. A worker that starts a cluster sends thousands of messages for it. Node's own resolution also looks up the
 * package and the real path of each file, which are known here.
 */
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const root = pathToFileURL(`${import.meta.dirname}/`).href;
const registered = Symbol.for("operator-path/imports");

// Without isolation, test files share the hook.
// biome-ignore lint/suspicious/noUndeclaredEnvVars: vitest itself sets this variable.
if (process.env.VITEST_MODE === "RUN" && !(registered in globalThis)) {
  Object.defineProperty(globalThis, registered, { value: true });
  registerHooks({
    resolve(specifier, { parentURL }, next) {
      if (
        specifier.startsWith(".") &&
        specifier.endsWith(".ts") &&
        parentURL?.startsWith(root) &&
        !parentURL.includes("/node_modules/")
      ) {
        const url = new URL(specifier, parentURL);
        // For a missing file, Node names the importer.
        if (existsSync(url)) return { url: url.href, format: "module-typescript", shortCircuit: true };
      }
      return next(specifier);
    },
  });
}
