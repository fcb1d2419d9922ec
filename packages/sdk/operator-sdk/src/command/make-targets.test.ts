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

async function run(program: string, ...args: string[]): Promise<{ exitCode: number; output: string }> {
  const options = { cwd: project.cwd, env, extendEnv: false, all: true, reject: false } as const;
  const { exitCode = -1, all: output } = await execa(program, args, options);
  return { exitCode, output };
}

/** Runs make without the generators, because the manifests already exist. */
const make = (...args: string[]) => run("make", ...args, "CONTROLLER_GEN=true", "OPERATOR_SDK=true");

async function kubectl(...args: string[]): Promise<string> {
  const { exitCode, output } = await run("kubectl", ...args);
  expect([exitCode, output]).toEqual([0, output]);
  return output;
}

// The namespace controller may delete an object of the namespace before kubectl does.
const ignore = "ignore-not-found=true";
const stored = "memcacheds.v1alpha1.cache.example.com";

async function createObject(name: string, finalizers: readonly string[] = []): Promise<void> {
  const file = join(project.cwd, "../object.yaml");
  const apiVersion = "cache.example.com/v1alpha1";
  const object = { apiVersion, kind: "Memcached", metadata: { name, finalizers }, spec: { foo: "kept" } };
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
  expect(other).toEqual({ exitCode: 1, output: expect.stringContaining("conversion webhook for") });
  expect(await kubectl("get", stored, "sample", "--namespace=default", "--output=jsonpath={.spec.foo}")).toBe(
    "kept",
  );
  expect(await make("uninstall")).toMatchObject({ exitCode: 0 });
});

test("make undeploy deletes the objects while the operator still runs", async () => {
  expect(await make("deploy")).toMatchObject({ exitCode: 0 });
  await createObject("sample", ["example.com/cleanup"]);
  const undeployed = make("undeploy", ignore);
  const object = [stored, "sample", "--namespace=default"];
  await kubectl("wait", ...object, "--for=jsonpath={.metadata.deletionTimestamp}", "--timeout=60s");
  expect(await kubectl("get", "deployments", "--namespace=memcached-operator-system", "--output=name")).toBe(
    "deployment.apps/memcached-operator-controller-manager",
  );
  await kubectl("patch", ...object, "--type=merge", '--patch={"metadata":{"finalizers":null}}');
  const { exitCode, output } = await undeployed;
  expect([exitCode, output]).toEqual([0, expect.stringContaining("Waiting for 1 object(s)")]);
  expect(await kubectl("get", "crds,namespaces", "--output=name")).not.toMatch(/memcached/);
});

test("make undeploy that times out deletes nothing else, and prints what to do", async () => {
  expect(await make("deploy")).toMatchObject({ exitCode: 0 });
  await createObject("stuck", ["example.com/cleanup"]);
  const { exitCode, output } = await make("undeploy", "timeout=1");
  expect([exitCode, output]).toEqual([2, expect.stringContaining("default/stuck")]);
  expect(output).toContain("example.com/cleanup");
  expect(await kubectl("get", "crds,namespaces", "--output=name")).toMatch(
    /memcacheds[\s\S]*memcached-operator/,
  );
  const suggestion = /^ *(kubectl .* patch .*)$/m.exec(output)?.[1] ?? "";
  expect(await run("sh", "-c", suggestion)).toMatchObject({ exitCode: 0 });
  expect(await make("undeploy", ignore)).toMatchObject({ exitCode: 0 });
  expect(await kubectl("get", "crds,namespaces", "--output=name")).not.toMatch(/memcached/);
});

test("make undeploy deletes nothing when the kinds cannot be read", async () => {
  const { exitCode, output } = await run("env", "KUBECTL=false", "sh", "hack/delete-objects.sh", "nowhere");
  expect(exitCode).toBe(1);
  expect(output).toContain("The API server did not list or delete all objects. Nothing else was deleted.");
});
