import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { exec } from "./exec.ts";
import { startPodScene } from "./testing/pod-scene.ts";

const root = join(import.meta.dirname, "../..");
const scene = await startPodScene();
const web = await scene.run("web", [{ image: "nginx", ports: [{ containerPort: 80 }] }]);

/** Runs the README's program that contains this text, in a project with its dependencies installed. */
async function runProgram(text: string) {
  const programs = [...(await readFile(join(root, "README.md"), "utf8")).matchAll(/```ts\n(.*?)```/gs)];
  const [, program = ""] = programs.find(([, each]) => each?.includes(text)) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "client-pods-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "node_modules/@operator-path"), { recursive: true });
  await symlink(root, join(folder, "node_modules/@operator-path/client"));
  await symlink(join(root, "node_modules/modern-tar"), join(folder, "node_modules/modern-tar"));
  await mkdir(join(folder, "settings"));
  await writeFile(join(folder, "settings/colour"), "blue");
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, scene.server.kubeConfig().exportConfig());
  const options = ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", program];
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const ended = promisify(execFile)(process.execPath, options, { cwd: folder, env });
  const { stdout } = await ended;
  return { folder, stdout };
}

test("runs the README's program for a Pod", async () => {
  const { stdout } = await runProgram("portForward(");
  expect(stdout).toMatch(/^exit code 3, output "hello"\n200 true\n.*"GET \/ HTTP\/1.1" 200.*\n$/);
});

test("runs the README's program that copies files to a container and back", async () => {
  const { folder, stdout } = await runProgram("copyFromPod(");
  expect(stdout).toBe("1 files, 4 bytes\n");
  expect((await exec(scene.client, web, ["cat", "/tmp/settings/colour"])).stdout).toBe("blue");
  expect(await readFile(join(folder, "copy/colour"), "utf8")).toBe("blue");
});
