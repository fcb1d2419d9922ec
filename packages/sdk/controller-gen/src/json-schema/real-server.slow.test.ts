import { createClient, customResourceDefinitions } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { findControlPlane } from "@operator-path/tools";
import { expect, onTestFinished, test, vi } from "vitest";
import { caseRows, rejectedFields, tables, zodFields } from "../testing/zod-cases.ts";
import { customResourceDefinition } from "./definition.ts";

test("zod and a real kube-apiserver agree about each value and its invalid fields", async ({ skip }) => {
  const missing = await findControlPlane({ mayBuild: false }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  skip(missing !== undefined, `there is no kube-apiserver and etcd on this machine: ${missing}`);
  const cluster = await startTestCluster({ provider: "envtest" });
  onTestFinished(() => cluster.stop());
  const client = createClient(cluster.kubeConfig);
  onTestFinished(() => client.close());
  await client
    .resource(customResourceDefinitions)
    .create(customResourceDefinition(tables), { fieldValidation: "Strict" });
  await vi.waitFor(() => client.resource(tables).list());
  const answers = [];
  for (const [name, value] of caseRows) {
    const spec = { [name]: value };
    answers.push({ spec, byServer: await rejectedFields(client, spec), byZod: zodFields(spec) });
  }
  expect(answers.map(({ spec, byServer }) => ({ spec, fields: byServer }))).toEqual(
    answers.map(({ spec, byZod }) => ({ spec, fields: byZod })),
  );
});
