import { deployments, services } from "@operator-path/client";
import { expect, test } from "vitest";
import { reconcileDeployment } from "./deployment.ts";
import { emptyClient, log, request, sample } from "./sample.ts";
import { reconcileService } from "./service.ts";

test("an OvhNginx gets a Service of its name, for a load balancer", async () => {
  const { client } = emptyClient();
  await reconcileService(client, sample({ port: 9000 }), log);
  const { spec } = await client.get(services, request);
  expect(spec?.type).toBe("LoadBalancer");
  expect(spec?.ports).toMatchObject([{ port: 9000, targetPort: "http" }]);
});

test("the Service selects the Pods of the Deployment", async () => {
  const { client } = emptyClient();
  await reconcileDeployment(client, sample(), log);
  await reconcileService(client, sample(), log);
  const { template } = (await client.get(deployments, request)).spec ?? {};
  const { selector } = (await client.get(services, request)).spec ?? {};
  expect(selector).not.toEqual({});
  expect(template?.metadata?.labels).toMatchObject(selector ?? { no: "selector" });
  const [container] = template?.spec?.containers ?? [];
  expect(container?.ports).toContainEqual({ name: "http", containerPort: 8080 });
});

test("another port changes the Service, and keeps what the cluster has chosen", async () => {
  const { client } = emptyClient();
  const created = await reconcileService(client, sample({ port: 8080 }), log);
  // The API server would fill in these fields.
  const [port] = created.spec?.ports ?? [];
  const ports = [{ ...port, port: 8080, nodePort: 30148 }];
  await client.update({ ...created, spec: { ...created.spec, clusterIP: "10.3.78.218", ports } });

  await reconcileService(client, sample({ port: 9000 }), log);
  const { spec } = await client.get(services, request);
  expect(spec?.clusterIP).toBe("10.3.78.218");
  expect(spec?.ports).toMatchObject([{ port: 9000, nodePort: 30148 }]);
});

test("a selector that another client has changed is set back", async () => {
  const { client } = emptyClient();
  const created = await reconcileService(client, sample(), log);
  const { selector } = created.spec ?? {};
  await client.update({ ...created, spec: { ...created.spec, selector: { ...selector, app: "another" } } });
  await reconcileService(client, sample(), log);
  expect((await client.get(services, request)).spec?.selector).toEqual(selector);
});

test("a correct Service is not written again", async () => {
  const { client, writes } = emptyClient();
  await reconcileService(client, sample(), log);
  await reconcileService(client, sample(), log);
  expect(writes).toEqual(["create Service"]);
});
