import { type DeploymentSpec, deployments } from "@operator-path/client";
import { expect, test } from "vitest";
import { deploymentFor, reconcileDeployment } from "./deployment.ts";
import { emptyClient, log, request, sample } from "./sample.ts";

/** Returns a stored Deployment of two replicas, with defaults of the API server and changes by another client. */
async function stored() {
  const { client, writes } = emptyClient();
  const created = await client.create(deploymentFor(sample({ replicaCount: 2 })));
  const { template, ...rest } = created.spec as DeploymentSpec;
  const [container] = template.spec?.containers ?? [];
  const deployment = await client.update({
    ...created,
    spec: {
      ...rest,
      revisionHistoryLimit: 10,
      template: {
        ...template,
        spec: {
          ...template.spec,
          containers: [
            { name: "nginx", ...container, imagePullPolicy: "IfNotPresent" },
            { name: "sidecar", image: "fluent-bit" },
          ],
          restartPolicy: "Always",
          nodeSelector: { disk: "ssd" },
        },
      },
    },
  });
  writes.length = 0;
  return { client, writes, deployment };
}

test("an OvhNginx gets a Deployment of its name", async () => {
  const { client } = emptyClient();
  const returned = await reconcileDeployment(client, sample({ replicaCount: 2 }), log);
  const { spec } = await client.get(deployments, request);
  expect(spec?.replicas).toBe(2);
  expect(returned.spec).toEqual(spec);
});

test("an existing Deployment is not created again", async () => {
  const { client, writes } = emptyClient();
  await reconcileDeployment(client, sample(), log);
  const again = await reconcileDeployment(client, sample(), log);
  expect(writes).toEqual(["create Deployment"]);
  expect(again.metadata?.name).toBe("sample");
});

test("another replicaCount changes the replicas, and nothing else", async () => {
  const { client, deployment } = await stored();
  const returned = await reconcileDeployment(client, sample({ replicaCount: 3 }), log);
  const { spec } = await client.get(deployments, request);
  expect(spec).toEqual({ ...deployment.spec, replicas: 3 });
  expect(returned.spec).toEqual(spec);
});

test("a Deployment with defaults is updated once, and then left alone", async () => {
  const { client, writes } = await stored();
  await reconcileDeployment(client, sample({ replicaCount: 3 }), log);
  await reconcileDeployment(client, sample({ replicaCount: 3 }), log);
  expect(writes).toEqual(["update Deployment"]);
});
