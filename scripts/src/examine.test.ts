import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { examine } from "./examine.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "doctor-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function command(name: string, output: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\necho '${output}'\n`, { mode: 0o755 });
}
async function about(subject: string, platform: NodeJS.Platform = "linux") {
  const findings = await examine({ env: { PATH: folder }, cacheDirectory: folder, platform, arch: "arm64" });
  return findings.find((finding) => finding.subject === subject);
}

it("says which kubectl is taken, and which is passed over", async () => {
  await command("kubectl", '{"clientVersion": {"gitVersion": "v1.36.1"}}');
  expect(await about("kubectl")).toEqual({
    subject: "kubectl",
    verdict: "ok",
    words: `1.36.1, on PATH: ${join(folder, "kubectl")}`,
  });
});

it("names what is missing, with the way out", async () => {
  await command("kubectl", '{"clientVersion": {"gitVersion": "v1.20.0"}}');
  const finding = await about("kubectl");
  expect(finding?.verdict).toBe("missing");
  expect(finding?.words).toContain(`${join(folder, "kubectl")}: is 1.20.0`);
  expect(finding?.words).toContain("https://kubernetes.io/docs/tasks/tools/");
});

it("points out another operator-sdk", async () => {
  expect(await about("operator-sdk")).toBeUndefined();
  await command("operator-sdk", "v1.42.0");
  expect((await about("operator-sdk"))?.words).toContain(
    `${join(folder, "operator-sdk")} is another operator-sdk`,
  );
});
