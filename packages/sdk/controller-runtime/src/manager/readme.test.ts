import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@operator-path/apiserver";
import { createClient, deployments } from "@operator-path/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { installMemcached, memcached, memcacheds } from "../controller/testing/memcached.ts";

const root = join(import.meta.dirname, "../..");

test("the README's operator reconciles its objects, scales and ends on request", async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, example = ""] =
    /<!-- runs in src\/manager\/readme.test.ts -->\n```ts\n(.*?)```/s.exec(readme) ?? [];
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  await installMemcached(connection);
  const api = connection.resource(memcacheds).namespace("default");
  await api.create(memcached("sample", 2));

  const folder = mkdtempSync(join(tmpdir(), "controller-runtime-readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, server.kubeconfigYaml(), { mode: 0o600 });
  const child = spawn(
    process.execPath,
    ["--conditions=@operator-path/source", "--input-type=module-typescript", "--eval", example],
    { cwd: root, env: { ...process.env, KUBECONFIG: kubeconfig, WATCH_NAMESPACE: "default" } },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  let log = "";
  child.stderr.on("data", (text) => (log += text));
  const exited = new Promise((resolve) => child.on("close", (...how) => resolve(how)));

  const until = (check: () => Promise<void>) => vi.waitFor(check);
  await until(async () =>
    expect((await api.get("sample")).status).toEqual({ nodes: ["sample-0", "sample-1"] }),
  );
  await api.patch("sample", { spec: { size: 3 } }, { type: "merge" });
  await until(async () => expect((await api.get("sample")).status?.nodes).toHaveLength(3));
  const deployment = await connection.resource(deployments).namespace("default").get("sample");
  expect(deployment.spec?.replicas).toBe(3);
  expect(deployment.metadata?.ownerReferences).toMatchObject([
    { kind: "Memcached", name: "sample", controller: true },
  ]);
  await connection
    .resource(deployments)
    .namespace("default")
    .patch("sample", { metadata: { ownerReferences: null } }, { type: "merge" });
  await until(async () => {
    const { metadata } = await connection.resource(deployments).namespace("default").get("sample");
    expect(metadata?.ownerReferences).toMatchObject([{ kind: "Memcached", name: "sample" }]);
  });
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  const lines = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ level }) => level !== "info")).toEqual([]);
  expect(lines.map(({ msg }) => msg)).toContain("the Deployment was updated");
  expect(lines.at(-1).msg).toBe("Manager stopped");
});
