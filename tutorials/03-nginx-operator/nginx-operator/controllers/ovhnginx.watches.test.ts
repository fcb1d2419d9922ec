import { deployments, services } from "@operator-path/client";
import { eventually } from "@operator-path/controller-runtime/testing";
import { expect, test } from "vitest";
import { ovhNginxes } from "../api/v1/zz_generated.resources.ts";
import { setupWithManager } from "./ovhnginx.controller.ts";
import { startSuite } from "./suite.ts";

// Without other controllers, a change of the Deployment changes nothing else, and neither does one of the Service.

test("a change of the status, of the Deployment and of the Service each wakes the operator by itself", async () => {
  const zone = { set: async () => {}, remove: async () => {} };
  await using suite = await startSuite((manager) => setupWithManager(manager, zone));
  const namespace = await suite.cluster.namespace();
  const { client } = suite.cluster;
  const objects = client.resource(ovhNginxes).namespace(namespace);
  const deployment = client.resource(deployments).namespace(namespace);
  const service = client.resource(services).namespace(namespace);
  await objects.create({ metadata: { name: "sample" }, spec: { replicaCount: 1, port: 8080 } });
  await eventually(async () => expect((await objects.get("sample")).status).toBeDefined());

  await service.patch("sample", { spec: { type: "ClusterIP" } }, { type: "merge" });
  await eventually(async () => expect((await service.get("sample")).spec?.type).toBe("LoadBalancer"));
  await deployment.patch("sample", { spec: { replicas: 5 } }, { type: "merge" });
  await eventually(async () => expect((await deployment.get("sample")).spec?.replicas).toBe(1));
  // A change of the status alone changes no generation.
  const { status: _, ...emptied } = await objects.get("sample");
  await objects.updateStatus(emptied);
  // Not the status of before: the condition has a new lastTransitionTime.
  await eventually(async () =>
    expect((await objects.get("sample")).status).toMatchObject({
      readyReplicas: 0,
      conditions: [{ type: "Available", status: "False" }],
    }),
  );
});
