/** `pnpm proof <what> …`: starts the main.ts that proves it, in packages/proof or in the package that it concerns. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";

const [what = ""] = process.argv.slice(2);
// What proves one package alone stands in that package.
const ofPackages: Readonly<Record<string, string>> = {
  "controller-gen": "sdk/controller-gen/scripts/compare-with-go.ts",
  copy: "course/learn/src/testing/proof/prove-copy.ts",
  nodes: "course/learn/src/testing/proof/prove-nodes.ts",
  scaffold: "sdk/operator-sdk/src/testing/proof/prove-scaffold.ts",
};
const own = Object.hasOwn(ofPackages, what) ? ofPackages[what] : undefined;
const main =
  own !== undefined
    ? join(import.meta.dirname, "../../packages", own)
    : join(import.meta.dirname, "../../packages/proof", what, "src/main.ts");
const known = ["conformance", "faults", "kind", ...Object.keys(ofPackages)];
if (!known.includes(what) || !existsSync(main)) {
  console.error(`pnpm proof ${what}: no such proof: try ${known.join(" or ")}`);
  process.exitCode = 1;
} else {
  const child = spawn(process.execPath, [...process.execArgv, main, ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  // Who ends this one alone, as a CI job that is cancelled does, means what it has started: that has to tidy up.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exitCode = code ?? 1;
}
