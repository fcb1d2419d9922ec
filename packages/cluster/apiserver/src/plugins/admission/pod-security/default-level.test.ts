import { createClient, namespaces, type Pod, pods, serviceAccounts } from "@operator-path/client";
import { expect, onTestFinished, test } from "vitest";
import { startApiServer } from "../../../server.ts";

const bare: Partial<Pod> = {
  metadata: { generateName: "bare-" },
  spec: { containers: [{ name: "main", image: "busybox" }] },
};

test("enforces the level of the server's options in a namespace without a label", async () => {
  const server = await startApiServer({ podSecurity: "restricted" });
  onTestFinished(() => server.stop());
  const client = createClient(server.kubeConfig());
  onTestFinished(() => client.close());
  const labels = { "pod-security.kubernetes.io/enforce": "privileged" };
  await client.resource(namespaces).create({ metadata: { name: "tools", labels } });
  const create = async (namespace: string) => {
    // No controller creates it here.
    await client
      .resource(serviceAccounts)
      .namespace(namespace)
      .create({ metadata: { name: "default" } });
    return client.resource(pods).namespace(namespace).create(bare);
  };
  await expect(create("default")).rejects.toThrow(/violates PodSecurity "restricted:latest"/);
  for (const exempt of ["tools", "kube-system"]) await create(exempt);
});
