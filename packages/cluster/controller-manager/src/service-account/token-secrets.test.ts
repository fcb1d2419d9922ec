import { secrets, serviceAccounts } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager();
});
afterAll(() => cluster.stop());

const secretFor = (account: string) => ({
  type: "kubernetes.io/service-account-token",
  metadata: { name: "token", annotations: { "kubernetes.io/service-account.name": account } },
});

test("a Secret of an account gets a token that expires with the Secret", async () => {
  const namespace = await cluster.namespace();
  const inNamespace = cluster.client.resource(secrets).namespace(namespace);
  const account = await cluster.client
    .resource(serviceAccounts)
    .namespace(namespace)
    .create({ metadata: { name: "robot" } });
  await inNamespace.create(secretFor("robot"));
  await expect.poll(async () => (await inNamespace.get("token")).data?.token, within).toBeDefined();
  const { data = {}, metadata } = await inNamespace.get("token");
  const text = (key: string) => Buffer.from(data[key] ?? "", "base64").toString();
  expect(metadata?.annotations?.["kubernetes.io/service-account.uid"]).toBe(account.metadata?.uid);
  expect([text("namespace"), text("ca.crt").slice(0, 27)]).toEqual([
    namespace,
    "-----BEGIN CERTIFICATE-----",
  ]);

  const review = async () => {
    const { body } = await cluster.client.request({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/tokenreviews",
      body: { spec: { token: text("token") } },
    });
    return JSON.parse(new TextDecoder().decode(body)).status;
  };
  expect(await review()).toMatchObject({
    authenticated: true,
    user: { username: `system:serviceaccount:${namespace}:robot` },
  });
  await inNamespace.delete("token");
  expect(await review()).toMatchObject({ error: expect.stringContaining("has been invalidated") });
});

test("deletes the Secret with its account, and without an account", async () => {
  const namespace = await cluster.namespace();
  const inNamespace = cluster.client.resource(secrets).namespace(namespace);
  const accounts = cluster.client.resource(serviceAccounts).namespace(namespace);
  const isThere = () =>
    inNamespace.get("token").then(
      () => true,
      () => false,
    );
  await inNamespace.create(secretFor("missing"));
  await expect.poll(isThere, within).toBe(false);
  await accounts.create({ metadata: { name: "robot" } });
  await inNamespace.create(secretFor("robot"));
  await expect.poll(async () => (await inNamespace.get("token")).data?.token, within).toBeDefined();
  await accounts.delete("robot");
  await expect.poll(isThere, within).toBe(false);
});
