import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "@operator-path/client";
import {
  deployedRights,
  kustomize,
  serviceAccountKubeConfig,
  startTestCluster,
} from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import { createRequestRecorder, eventually } from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { memcacheds } from "../api/v1alpha1/zz_generated.resources.ts";
import { setupWithManager } from "./memcached.controller.ts";

// `make run` takes your own rights. Here the operator has those of its ServiceAccount, as `make deploy` grants them.

const account = { namespace: "memcached-operator-system", name: "memcached-operator-controller-manager" };

/** Returns what config/default grants, with the role that `make manifests` would write now. */
async function grants() {
  const folder = mkdtempSync(join(tmpdir(), "memcached-role-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const name = "memcached-operator-manager-role";
  const generate = [`rbac:roleName=${name}`, "paths=./...", `output:dir=${folder}`];
  execFileSync("node_modules/.bin/controller-gen", generate);
  writeFileSync(join(folder, "kustomization.yaml"), "resources: [role.yaml]\n");
  const others = (await kustomize("config/default")).filter(({ metadata }) => metadata?.name !== name);
  return [...others, ...(await kustomize(folder))];
}

test("the operator's ServiceAccount may do all that the operator does", async () => {
  const cluster = await startTestCluster({ crds: ["config/crd/bases"], controllers: true });
  onTestFinished(() => cluster.stop());
  await deployedRights(cluster.client, await grants(), account);

  const kubeConfig = await serviceAccountKubeConfig(cluster, account);
  const recorder = createRequestRecorder(createTransport(kubeConfig));
  const manager = createManager(kubeConfig, {
    scheme: createScheme(memcacheds),
    logger: createLogger({ level: "silent" }),
    transport: recorder.transport,
  });
  setupWithManager(manager);
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });

  const forbidden = () => {
    const lines = recorder.requests
      .filter(({ status }) => status === 403)
      .map(({ verb, resource, subresource, message }) => {
        const what = subresource === "" ? resource : `${resource}/${subresource}`;
        return `forbidden: ${verb} ${what}: ${message}`;
      });
    return [...new Set(lines)];
  };
  const objects = cluster.client.resource(memcacheds).namespace("default");
  await objects.create({ metadata: { name: "sample" }, spec: { size: 1 } });
  for (const size of [1, 2]) {
    await eventually(
      async () => {
        // A change of the Memcached wakes the operator, whatever else it watches.
        const annotations = { "example.com/looked-at": new Date().toISOString() };
        const patch = { metadata: { annotations }, spec: { size } };
        const { status } = await objects.patch("sample", patch, { type: "merge" });
        if (forbidden().length === 0) expect(status?.nodes ?? []).toHaveLength(size);
      },
      { interval: 200 },
    );
  }
  const remedy = "Use a verb of the markers, or add what is missing to them and run `make manifests`.";
  if (forbidden().length > 0) expect.fail(`${forbidden().join("\n")}\n${remedy}`);
});
