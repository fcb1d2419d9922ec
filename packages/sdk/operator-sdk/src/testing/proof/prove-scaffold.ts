/**
 * `pnpm proof scaffold [--plugins hybrid] [--provider envtest]`: a project is begun in an empty folder outside the repository,
 * installed without network, checked, run and deployed on an embedded cluster, or on a real API server, and removed. The
 * cluster and container-tool are those that the project has installed. Says what it does, a line each; exit code 1 at the first
 * thing that is not as it should be, with that command's output.
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
  // `scaffold`, which it was started by.
  allowPositionals: true,
});
assert.match(flags.provider, /^(embedded|envtest)$/, "--provider: embedded, or envtest");
assert.match(flags.plugins, /^(typescript|hybrid)$/, "--plugins: typescript, or hybrid");

try {
  await using proof = await openProof(flags.provider as Provider);
  await (flags.plugins === "hybrid" ? proveHybrid : provePlain)(proof);
  console.log("everything is as it should be");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
