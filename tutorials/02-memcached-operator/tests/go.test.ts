import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { executablesOnPath } from "@operator-path/tools";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "go");
const [go] = await executablesOnPath("go", process.env);

// Works without network: if Go would have to download modules, the test is skipped.
test("the controller in Go that part 2 shows compiles", { timeout: 300_000 }, async ({ skip }) => {
  if (go === undefined) return skip("there is no `go` on PATH");
  const run = (...args: string[]) =>
    promisify(execFile)(go, args, {
      cwd: folder,
      env: { ...process.env, GOFLAGS: "-mod=readonly", GOPROXY: "off" },
    });
  const missing = await run("list", "-deps", "-test", "./...").then(() => undefined, String);
  if (missing?.includes("module lookup disabled"))
    return skip("its modules are not in Go's cache: go mod download");
  expect(missing).toBeUndefined();
  const { stderr } = await run("vet", "./...");
  expect(stderr).toBe("");
  // A round trip through the conversion that page 3 shows loses nothing.
  expect((await run("test", "./...")).stdout).toContain("ok");
});
