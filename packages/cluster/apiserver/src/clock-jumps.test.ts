import { X509Certificate } from "node:crypto";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { configMap, startTestServer } from "./testing/test-server.ts";

const day = 24 * 60 * 60_000;
const minute = 60_000;
const configMaps = "/api/v1/namespaces/default/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

test.each([
  ["forward", day],
  ["back", -day],
])("keeps watches and history when the clock is set a day %s", async (_direction, jump) => {
  const clock = createFakeClock();
  const server = await startTestServer({ clock });
  const list = await server.request("GET", configMaps);
  const version = list.json<{ metadata: { resourceVersion: string } }>().metadata.resourceVersion;
  const open = await server.watch(`${configMaps}?watch=1&resourceVersion=${version}`);
  clock.set(jump);
  await clock.advance(minute);
  await server.create(configMaps, configMap("after"));
  expect((await open.next())?.object.metadata.name).toBe("after");
  const resumed = await server.watch(`${configMaps}?watch=1&resourceVersion=${version}`);
  expect((await resumed.next())?.object.metadata.name).toBe("after");
  open.close();
  resumed.close();
});

test("keeps the times that holders write into Leases, whatever the server's clock says", async () => {
  const clock = createFakeClock();
  const server = await startTestServer({ clock });
  const renewTime = "2026-01-01T00:00:00.000000Z";
  const spec = { holderIdentity: "a", leaseDurationSeconds: 15, renewTime };
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "l" }, spec };
  await server.create(leases, lease);
  clock.set(day);
  await clock.advance(minute);
  clock.set(-2 * day);
  await clock.advance(minute);
  expect((await server.request("GET", `${leases}/l`)).json()).toMatchObject({ spec });
});

test("accepts a Pod's token after the clock was set a day back or forward", async () => {
  const clock = createFakeClock();
  const server = await startTestServer({ clock });
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await server.create(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } });
  const containers = [{ name: "a", image: "busybox" }];
  const pod = await server.create("/api/v1/namespaces/default/pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a" },
    spec: { containers },
  });
  const asked = await server.request("POST", `${accounts}/default/token`, {
    body: {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {
        expirationSeconds: 3607,
        boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "a", uid: pod.metadata.uid },
      },
    },
  });
  const { token } = asked.json<{ status: { token: string } }>().status;
  const status = async () => (await server.request("GET", "/api", { token })).status;
  clock.set(-day);
  expect(await status()).toBe(200);
  clock.set(2 * day);
  expect(await status()).toBe(200);
});

test("the certificates are valid a day before the server started, and a day after", async () => {
  const server = await startTestServer();
  const certificate = new X509Certificate(server.caCertificate);
  expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now() - 2 * day);
  expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 2 * day);
});
