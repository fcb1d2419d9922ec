import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");

test("the README's controller, stopped before the first list has come, ends quietly", async () => {
  const [, example = ""] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "informers-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(unreachable));
  const child = spawn(
    process.execPath,
    ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", example],
    { cwd: root, env: { ...process.env, KUBECONFIG: kubeconfig }, stdio: ["ignore", "ignore", "pipe"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  let stderr = "";
  for await (const chunk of child.stderr) {
    stderr += chunk;
    // It waits for its list from now on. A second one would be fatal: the example handles the first.
    if (stderr.includes("trying again") && !child.killed) child.kill("SIGINT");
  }
  expect(stderr).toMatch(/^(informer of pods: .*; trying again\n)+$/);
  expect(await exited).toEqual([0, null]);
});

/** Nobody listens on the port of discard. */
const unreachable = {
  "current-context": "down",
  contexts: [{ name: "down", context: { cluster: "down", user: "me" } }],
  clusters: [{ name: "down", cluster: { server: "https://127.0.0.1:9" } }],
  users: [{ name: "me", user: { token: "t" } }],
};
