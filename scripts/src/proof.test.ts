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
  // Comes when nobody holds its output any longer: neither it nor its child.
  expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
}, 60_000);

test("what there is not is told, with what there is", async () => {
  const child = run("nothing");
  const [says] = await once(child.stderr.setEncoding("utf8"), "data");
  expect(says).toContain("pnpm proof nothing: there is nothing of that name to prove: try conformance or");
  expect(await once(child, "close")).toEqual([1, null]);
});
