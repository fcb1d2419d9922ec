import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";

const proof = join(import.meta.dirname, "proof.ts");
const run = (...args: string[]) =>
  spawn(process.execPath, ["--conditions=@operator-path/source", proof, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });

test("what is ended ends what it has started", async () => {
  const child = run("faults", "--count", "1000000");
  await once(child.stdout, "data");
  child.stdout.resume();
  child.kill("SIGTERM");
  // Resolves when neither the process nor its child holds its output open.
  expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
});

test("rejects an unknown proof and lists the known ones", async () => {
  const child = run("nothing");
  const [says] = await once(child.stderr.setEncoding("utf8"), "data");
  expect(says).toContain("pnpm proof nothing: unknown proof (expected one of conformance,");
  expect(await once(child, "close")).toEqual([1, null]);
});
