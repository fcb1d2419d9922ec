import { writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiLine, initLine, openFolder } from "../testing/scaffolds.ts";

let cluster: TestCluster;
let project: ReturnType<typeof openFolder>;
let env: Record<string, string>;
beforeAll(async () => {
  cluster = await startTestCluster({ controllers: true });
  project = openFolder();
  await project.run(initLine);
  await project.run(apiLine);
  await project.run(apiLine.replace("v1alpha1", "v1").replace("--controller", "--controller=false"));
  await project.run("create webhook --group cache --version v1 --kind Memcached --conversion");
  expect(await project.run("generate")).toMatchObject({ code: 0 });
  const KUBECONFIG = join(project.cwd, "../kubeconfig");
  writeFileSync(KUBECONFIG, cluster.kubeConfig.exportConfig(), { mode: 0o600 });
  const { path } = await findTool("kubectl");
  const PATH = [dirname(path), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
  env = { PATH, KUBECONFIG, HOME: dirname(project.cwd) };
});
afterAll(async () => {
  project[Symbol.dispose]();
  await cluster.stop();
});

async function run(program: string, ...args: string[]): Promise<{ exitCode: number; said: string }> {
  const options = { cwd: project.cwd, env, extendEnv: false, all: true, reject: false } as const;
  const { exitCode = -1, all: said } = await execa(program, args, options);
  return { exitCode, said };
}

/** Generates nothing again: the manifests are there. */
const make = (...args: string[]) => run("make", ...args, "CONTROLLER_GEN=true", "OPERATOR_SDK=true");

async function kubectl(...args: string[]): Promise<string> {
  const { exitCode, said } = await run("kubectl", ...args);
  expect([exitCode, said]).toEqual([0, said]);
  return said;
}

const stored = "memcacheds.v1alpha1.cache.example.com";

async function createObject(name: string): Promise<void> {
  const file = join(project.cwd, "../object.yaml");
  const apiVersion = "cache.example.com/v1alpha1";
  const object = { apiVersion, kind: "Memcached", metadata: { name }, spec: { foo: "kept" } };
  writeFileSync(file, JSON.stringify(object));
  await kubectl("create", "--namespace=default", "-f", file);
}

test("make install leaves no version that the server converts without the operator", async () => {
  expect(await make("install")).toMatchObject({ exitCode: 0 });
  await createObject("sample");
  const other = await run(
    "kubectl",
    "get",
    "memcacheds.v1.cache.example.com",
    "sample",
    "--namespace=default",
  );
  expect(other).toEqual({ exitCode: 1, said: expect.stringContaining("conversion webhook for") });
  expect(await kubectl("get", stored, "sample", "--namespace=default", "--output=jsonpath={.spec.foo}")).toBe(
    "kept",
  );
  expect(await make("uninstall")).toMatchObject({ exitCode: 0 });
});
