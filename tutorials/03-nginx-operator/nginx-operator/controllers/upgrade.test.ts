import { type DeploymentSpec, deployments } from "@operator-path/client";
import { expect, test } from "vitest";
import { reconcileDeployment } from "./deployment.ts";
import { emptyClient, log, request, sample } from "./sample.ts";

test("another version changes the image of nginx, and nothing else", async () => {
  const { client, writes } = emptyClient();
  const created = await reconcileDeployment(client, sample(), log);
  const { template, ...rest } = created.spec as DeploymentSpec;
  const [nginx] = template.spec?.containers ?? [];
  /** Returns the spec with this image of nginx, a default of the API server and changes by other clients. */
  const specWith = (image?: string): DeploymentSpec => {
    const container = { name: "nginx", ...nginx, ...(image && { image }), imagePullPolicy: "IfNotPresent" };
    const containers = [{ name: "sidecar", image: "fluent-bit" }, container];
    return { ...rest, template: { ...template, spec: { containers, nodeSelector: { disk: "ssd" } } } };
  };
  await client.update({ ...created, spec: specWith() });

  writes.length = 0;
  for (let i = 0; i < 2; i++) await reconcileDeployment(client, sample({ version: "1.28-alpine" }), log);
  const { spec } = await client.get(deployments, request);
  expect(spec).toEqual(specWith("nginxinc/nginx-unprivileged:1.28-alpine"));
  expect(writes).toEqual(["update Deployment"]);
});
