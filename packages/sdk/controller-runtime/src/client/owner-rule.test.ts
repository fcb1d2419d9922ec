import {
  type ConfigMap,
  configMaps,
  createClient,
  roleBindings,
  roles,
  serviceAccounts,
} from "@operator-path/client";
import { serviceAccountKubeConfig, startTestCluster } from "@operator-path/cluster/testing";
import { expect, onTestFinished, test } from "vitest";
import { setControllerReference } from "../controllerutil/owner-references.ts";
import { createObjectClient } from "./create-client.ts";
import { mergeFrom } from "./patch.ts";

test("names the missing rule when an owner reference is rejected", async () => {
  const cluster = await startTestCluster();
  onTestFinished(() => cluster.stop());
  const namespace = await cluster.namespace();
  const metadata = { name: "operator", namespace };
  await cluster.client.resource(serviceAccounts).namespace(namespace).create({ metadata });
  const verbs = ["create", "update", "patch"];
  await cluster.client
    .resource(roles)
    .namespace(namespace)
    .create({ metadata, rules: [{ apiGroups: [""], resources: ["configmaps"], verbs }] });
  await cluster.client
    .resource(roleBindings)
    .namespace(namespace)
    .create({
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "operator" },
      subjects: [{ kind: "ServiceAccount", ...metadata }],
    });
  const kubeConfig = await serviceAccountKubeConfig(cluster, metadata);
  const client = createObjectClient(createClient(kubeConfig));
  const api = cluster.client.resource(configMaps).namespace(namespace);
  const owner = await api.create({ metadata: { name: "owner" } });
  const child = await api.create({ metadata: { name: "child" } });
  const owned = setControllerReference(owner, child);

  const blocking = `add to the operator's role: // +kubebuilder:rbac:groups="",resources=configmaps/finalizers,verbs=update`;
  const fresh: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new", namespace } };
  const created = client.create(setControllerReference(owner, fresh));
  await expect(created).rejects.toMatchObject({ code: 403, message: expect.stringContaining(blocking) });

  const deleting = `add to the operator's role: // +kubebuilder:rbac:groups="",resources=configmaps,verbs=delete`;
  for (const refused of [client.update(owned), client.patch(owned, mergeFrom(child))]) {
    await expect(refused).rejects.toMatchObject({ code: 403, message: expect.stringContaining(deleting) });
  }
});
