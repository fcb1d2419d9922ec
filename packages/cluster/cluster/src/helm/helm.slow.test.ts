// A real helm 4, which applies server-side, with a chart of `helm create`, from install to uninstall.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, expect, it } from "vitest";
import { briefly, type KubectlBench, startKubectlBench } from "../testing/kubectl.ts";

let bench: KubectlBench;
let folder: string;
let helm: string;
beforeAll(async () => {
  bench = await startKubectlBench();
  folder = await mkdtemp(join(tmpdir(), "helm-"));
  helm = (await findTool("helm")).path;
});
afterAll(async () => {
  await bench.stop();
  await rm(folder, { recursive: true, force: true });
});

async function run(...args: string[]) {
  const { exitCode, stdout, stderr } = await execa(helm, args, {
    cwd: folder,
    env: { HOME: folder, KUBECONFIG: bench.kubeconfigPath, PATH: process.env.PATH, ...briefly },
    extendEnv: false,
    reject: false,
  });
  return { code: exitCode, stdout, stderr };
}

async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  if (code !== 0) throw new Error(`helm ${args.join(" ")} ended with ${code}: ${stderr}`);
  return stdout;
}

const replicas = () =>
  bench.ok("get deployment web-chart -o jsonpath={.spec.replicas}/{.status.readyReplicas}");

it("installs, upgrades, rolls back and uninstalls a chart", async () => {
  await ok("create", "chart");
  expect(await ok("install", "web", "./chart", "--wait", "--timeout", "300s")).toContain("STATUS: deployed");
  expect(await replicas()).toBe("1/1");
  const managers = await bench.ok(
    "get deployment web-chart -o 'jsonpath={.metadata.managedFields[*].manager}' --show-managed-fields",
  );
  expect(managers.split(" ")).toContain("helm");

  await ok("upgrade", "web", "./chart", "--set", "replicaCount=2", "--wait", "--timeout", "300s");
  expect(await replicas()).toBe("2/2");
  expect(await ok("rollback", "web", "1", "--wait", "--timeout", "300s")).toContain("Rollback was a success");
  expect(await replicas()).toBe("1/1");
  expect((await ok("history", "web", "-o", "json")).match(/"revision"/g)).toHaveLength(3);

  expect(await ok("uninstall", "web")).toContain('release "web" uninstalled');
  expect(await bench.refused("get deployment web-chart")).toContain("NotFound");
  expect(bench.failures).toEqual([]);
});

it("names the other manager of a changed field", async () => {
  await ok("install", "contested", "./chart", "--wait", "--timeout", "300s");
  await bench.ok("scale deployment/contested-chart --replicas=3");
  const { code, stderr } = await run("upgrade", "contested", "./chart", "--set", "replicaCount=2");
  expect(code).toBe(1);
  expect(stderr).toContain('conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas');
  await ok("upgrade", "contested", "./chart", "--set", "replicaCount=2", "--force-conflicts", "--wait");
  expect(await bench.ok("get deployment contested-chart -o jsonpath={.spec.replicas}")).toBe("2");
});
