/** `pnpm proof <what> …`: starts the main.ts that proves it, in packages/proof or in the package that it concerns. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const [what = ""] = process.argv.slice(2);
/** Paths below `packages`. A proof of a single package is in that package. */
const programs: Readonly<Record<string, string>> = {
  conformance: "proof/conformance/src/main.ts",
  "controller-gen": "sdk/controller-gen/scripts/compare-with-go.ts",
  copy: "course/learn/src/testing/proof/prove-copy.ts",
  faults: "proof/faults/src/main.ts",
  kind: "proof/pages-on-kind/src/main.ts",
  nodes: "course/learn/src/testing/proof/prove-nodes.ts",
  scaffold: "sdk/operator-sdk/src/testing/proof/prove-scaffold.ts",
};
const program = Object.hasOwn(programs, what) ? programs[what] : undefined;
if (program === undefined) {
  console.error(`pnpm proof ${what}: unknown proof (expected one of ${Object.keys(programs).join(", ")})`);
  process.exitCode = 1;
} else {
  const main = join(import.meta.dirname, "../../packages", program);
  const child = spawn(process.execPath, [...process.execArgv, main, ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  // A cancelled CI job ends only this process: the child has to clean up, too.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exitCode = code ?? 1;
}
