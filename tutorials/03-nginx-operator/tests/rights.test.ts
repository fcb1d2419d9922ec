import { readFileSync } from "node:fs";
import { createTransport } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import {
  comparablePolicyRules,
  createRequestRecorder,
  eventually,
  type PolicyRule,
  policyRulesOf,
} from "@operator-path/controller-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { ovhNginxes } from "../nginx-operator/api/v1/zz_generated.resources.ts";
import { setupWithManager } from "../nginx-operator/controllers/ovhnginx.controller.ts";

// The operator does everything that it can do. What it asks for is compared with what its markers give it.

const config = new URL("../nginx-operator/config/", import.meta.url);
/** Not a request: the API server checks it for an owner reference that blocks the deletion of the owner. */
const ofOwnerReferences: PolicyRule = {
  apiGroups: ["tutorials.ovhcloud.com"],
  resources: ["ovhnginxes/finalizers"],
  verbs: ["update"],
};

test("the operator needs each permission of its role, and no other one", async () => {
  await using cluster = await startTestCluster({
    crds: [new URL("crd/bases", config).pathname],
    controllers: true,
  });
  const recorder = createRequestRecorder(createTransport(cluster.kubeConfig));
  const stop = new AbortController();
  const manager = createManager(cluster.kubeConfig, {
    scheme: createScheme(ovhNginxes),
    logger: createLogger({ level: "silent" }),
    transport: recorder.transport,
  });
  setupWithManager(manager, { set: async () => {}, remove: async () => {} });
  const running = manager.start(stop.signal);
  onTestFinished(() => stop.abort());

  const objects = cluster.client.resource(ovhNginxes).namespace("default");
  const settled = (replicas: number) =>
    eventually(async () => expect((await objects.get("sample")).status?.readyReplicas).toBe(replicas), {
      timeout: 20_000,
    });
  await objects.create({ metadata: { name: "sample" }, spec: { replicaCount: 1, port: 8080 } });
  await settled(1);
  await objects.patch(
    "sample",
    { spec: { replicaCount: 2, port: 9090, version: "1.28-alpine" } },
    { type: "merge" },
  );
  await settled(2);
  await objects.delete("sample");
  await eventually(async () => expect((await objects.list()).items).toEqual([]), { timeout: 60_000 });
  stop.abort();
  await running;

  const role: { rules: PolicyRule[] } = parse(readFileSync(new URL("rbac/role.yaml", config), "utf8"));
  const needed = comparablePolicyRules([...policyRulesOf(recorder.requests), ofOwnerReferences]);
  expect(needed).toEqual(comparablePolicyRules(role.rules));
});
