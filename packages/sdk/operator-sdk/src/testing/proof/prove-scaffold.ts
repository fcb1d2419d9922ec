/**
 * `pnpm proof scaffold [--plugins hybrid] [--provider envtest]` creates a project in an empty folder outside
 * the repository. It installs the project without network, checks, runs and deploys it, and removes it. The
 * cluster is embedded or has a real API server. The cluster and container-tool are those that the project has
 * installed. Prints a line for each command. Exits with code 1 at the first failure, and prints the output of
 * that command.
 */
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { openProof, type Provider } from "./open-proof.ts";
import { proveHybrid } from "./prove-hybrid.ts";
import { provePlain } from "./prove-plain.ts";

const { values: flags } = parseArgs({
  options: {
    plugins: { type: "string", default: "typescript" },
    provider: { type: "string", default: "embedded" },
  },
  // The first argument is `scaffold`.
  allowPositionals: true,
});
assert.match(flags.provider, /^(embedded|envtest)$/, "--provider: embedded, or envtest");
assert.match(flags.plugins, /^(typescript|hybrid)$/, "--plugins: typescript, or hybrid");

try {
  await using proof = await openProof(flags.provider as Provider);
  await (flags.plugins === "hybrid" ? proveHybrid : provePlain)(proof);
  console.log("all checks have passed");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
