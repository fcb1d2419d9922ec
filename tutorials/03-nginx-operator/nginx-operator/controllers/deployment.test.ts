import { deployments } from "@operator-path/client";
import { expect, test } from "vitest";
import { reconcileDeployment } from "./deployment.ts";
import { emptyClient, log, request, sample } from "./sample.ts";

test("an OvhNginx comes to have a Deployment of its name", async () => {
  const { client } = emptyClient();
  await reconcileDeployment(client, sample({ replicaCount: 2 }), log);
  const { spec } = await client.get(deployments, request);
  expect(spec?.replicas).toBe(2);
  expect(spec?.template.metadata?.labels).toMatchObject(spec?.selector.matchLabels ?? {});
});

test("another replicaCount changes the Deployment's replicas, and nothing else", async () => {
  const { client } = emptyClient();
  const deployment = await reconcileDeployment(client, sample({ replicaCount: 2 }), log);
  Object.assign(deployment.spec?.template.spec ?? {}, { nodeSelector: { disk: "ssd" } });
  await client.update(deployment);
  await reconcileDeployment(client, sample({ replicaCount: 3 }), log);
  expect((await client.get(deployments, request)).spec).toEqual({ ...deployment.spec, replicas: 3 });
});

test("a Deployment that is as it should be is not written again", async () => {
  const { client, writes } = emptyClient();
  await reconcileDeployment(client, sample(), log);
  await reconcileDeployment(client, sample(), log);
  expect(writes).toEqual(["create Deployment"]);
});
