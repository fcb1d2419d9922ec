import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Header } from "tar";
import { expect, onTestFinished, test } from "vitest";
import { exec } from "./exec.ts";
import { channelServer, success } from "./testing/channel-server.ts";
import { startPodScene } from "./testing/pod-scene.ts";

const root = join(import.meta.dirname, "../..");
const scene = await startPodScene();
const web = await scene.run("web", [{ image: "nginx", ports: [{ containerPort: 80 }] }]);

/** Runs the README's program that has this text, in a project that has installed what it imports. */
async function runProgram(text: string, kubeConfig = scene.server.kubeConfig().exportConfig()) {
  const programs = [...(await readFile(join(root, "README.md"), "utf8")).matchAll(/```ts\n(.*?)```/gs)];
  const [, program = ""] = programs.find(([, each]) => each?.includes(text)) ?? [];
  const folder = await mkdtemp(join(tmpdir(), "client-pods-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "node_modules/@operator-path"), { recursive: true });
  await symlink(root, join(folder, "node_modules/@operator-path/client"));
  await symlink(join(root, "node_modules/tar"), join(folder, "node_modules/tar"));
  await mkdir(join(folder, "settings"));
  await mkdir(join(folder, "copy"));
  await writeFile(join(folder, "settings/colour"), "blue");
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, kubeConfig);
  const options = ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", program];
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const ended = promisify(execFile)(process.execPath, options, { cwd: folder, env });
  const { stdout, stderr } = await ended.catch((failed: { stdout: string; stderr: string }) => failed);
  return { folder, stdout, stderr };
}

test("the README's program for a Pod prints what the Pod does", async () => {
  const { stdout } = await runProgram("portForward(");
  expect(stdout).toMatch(/^exit code 3, output "hello"\n200 true\n.*"GET \/ HTTP\/1.1" 200.*\n$/);
});

test("the README's program for files copies them to a container and back", async () => {
  const { folder } = await runProgram("extract(");
  expect((await exec(scene.client, web, ["cat", "/tmp/settings/colour"])).stdout).toBe("blue");
  expect(await readFile(join(folder, "copy/settings/colour"), "utf8")).toBe("blue");
});

test("the README's program for files writes nothing outside of its folder, whatever the container sends", async () => {
  const header = new Header({ path: "../evil", size: 4, mode: 0o644, type: "File", mtime: new Date(0) });
  const archive = Buffer.alloc(2048);
  header.encode(archive, 0);
  archive.write("evil", 512);
  const { url } = await channelServer(({ socket, request, send }) => {
    if (request.url?.includes("-cf")) send(1, archive);
    send(3, success);
    socket.close(1000);
  });
  const { folder, stderr } = await runProgram("extract(", JSON.stringify(kubeConfigData(url)));
  expect(stderr).toMatch(/path contains '\.\.'/);
  expect(await readdir(folder)).not.toContain("evil");
  expect(await readdir(join(folder, "copy"))).toEqual([]);
});

function kubeConfigData(server: string) {
  return {
    "current-context": "here",
    contexts: [{ name: "here", context: { cluster: "here", user: "me" } }],
    clusters: [{ name: "here", cluster: { server } }],
    users: [{ name: "me", user: {} }],
  };
}
