import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Bundles the operator of this bench as one would for an image, and gives the file to run. `splitting` leaves what is imported
 * dynamically (for proxies, for OIDC issuers) in files of its own, which nobody reads who has none.
 */
export async function bundleOperator(folder: string): Promise<string> {
  await build({
    entryPoints: { operator: fileURLToPath(new URL("operator/main.ts", import.meta.url)) },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    ...{ bundle: true, splitting: true, platform: "node", format: "esm", logLevel: "error" },
    conditions: ["@operator-path/source"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return join(folder, "operator.mjs");
}
