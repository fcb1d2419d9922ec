import { configMaps, serviceAccounts } from "@operator-path/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestCluster, type TestCluster, within } from "../testing/cluster.ts";

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startTestCluster();
  await cluster.startManager();
});
afterAll(() => cluster.stop());

test("every namespace has its default ServiceAccount, also after it was deleted", async () => {
  const accounts = cluster.client.resource(serviceAccounts).namespace(await cluster.namespace());
  const uid = () =>
    accounts.get("default").then(
      ({ metadata }) => metadata?.uid,
      () => undefined,
    );
  await expect.poll(uid, within).toBeDefined();
  const first = await uid();
  await accounts.delete("default");
  await expect.poll(async () => ![undefined, first].includes(await uid()), within).toBe(true);
});

test("every namespace has the API server's certificate, also after it was changed or deleted", async () => {
  const maps = cluster.client.resource(configMaps).namespace(await cluster.namespace());
  const certificate = () =>
    maps.get("kube-root-ca.crt").then(
      ({ data }) => data,
      () => undefined,
    );
  await expect.poll(certificate, within).toBeDefined();
  const published = await certificate();
  expect(Object.keys(published ?? {})).toEqual(["ca.crt"]);
  await maps.patch("kube-root-ca.crt", { data: { "ca.crt": "forged" } }, { type: "merge" });
  await expect.poll(certificate, within).toEqual(published);
  await maps.delete("kube-root-ca.crt");
  await expect.poll(certificate, within).toEqual(published);
});
