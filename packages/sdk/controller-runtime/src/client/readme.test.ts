import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@operator-path/apiserver";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");

test("the README's client and cache print the output in the README", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const block =
    /<!-- runs in src\/client\/readme.test.ts -->\n```ts\n(.*?)```\n\nIt prints\n\n```\n(.*?)```/s;
  const [, example = "", printed] = block.exec(readme) ?? [];
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const folder = mkdtempSync(join(tmpdir(), "controller-runtime-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, server.kubeconfigYaml(), { mode: 0o600 });
  const child = spawn(
    process.execPath,
    ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", example],
    { cwd: root, env: { ...process.env, KUBECONFIG: kubeconfig }, stdio: ["ignore", "pipe", "pipe"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const read = async (stream: AsyncIterable<Buffer>) => {
    let text = "";
    for await (const chunk of stream) text += chunk.toString();
    return text;
  };
  const [stdout, stderr] = await Promise.all([read(child.stdout), read(child.stderr)]);
  expect({ stderr, stdout }).toEqual({ stderr: "", stdout: printed });
  expect(await exited).toEqual([0, null]);
});
