import { secrets } from "@operator-path/client";
import { startTestCluster, type TestCluster } from "@operator-path/cluster/testing";
import { createObjectClient, type Reader } from "@operator-path/controller-runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { releaseHistory, revisionsOf } from "./release-history.ts";
import { encodeRelease, revision } from "./testing/releases.ts";

let cluster: TestCluster;
let reader: Reader;
beforeAll(async () => {
  cluster = await startTestCluster();
  reader = createObjectClient(cluster.client);
});
afterAll(() => cluster.stop());

it("returns the revisions of one release, newest first, by number and not by name", async () => {
  const namespace = await cluster.namespace();
  const api = cluster.client.resource(secrets).namespace(namespace);
  for (const number of [2, 10, 9, 1]) {
    await api.create(
      encodeRelease(revision(number, number === 10 ? "deployed" : "superseded", { namespace })),
    );
  }
  await api.create(encodeRelease(revision(3, "deployed", { namespace, name: "other" })));
  // An unrelated Secret with helm's labels.
  await api.create({ metadata: { name: "mine", labels: { owner: "helm", name: "web" } }, type: "Opaque" });
  const history = await releaseHistory(reader, namespace, "web");
  expect(history.map((each) => each.revision)).toEqual([10, 9, 2, 1]);
  expect(await releaseHistory(reader, namespace, "none")).toEqual([]);
  expect(await releaseHistory(reader, "default", "web")).toEqual([]);
});

it("names a Secret that holds no release instead of skipping it", async () => {
  const namespace = await cluster.namespace();
  const { data, ...secret } = encodeRelease(revision(4, "deployed", { namespace }));
  await cluster.client.resource(secrets).namespace(namespace).create(secret);
  await expect(releaseHistory(reader, namespace, "web")).rejects.toMatchObject({
    name: "ReleaseError",
    message: expect.stringContaining(
      `Secret ${namespace}/sh.helm.release.v1.web.v4 contains no helm release`,
    ),
  });
});

it("reads revisions from the metadata of their Secrets, and skips others with helm's labels", () => {
  const secret = (name: string, status?: string) => ({
    metadata: { name, labels: { owner: "helm", name: "web", ...(status && { status }) } },
  });
  const found = [
    secret("sh.helm.release.v1.web.v9", "superseded"),
    secret("sh.helm.release.v1.web.v10", "pending-upgrade"),
    secret("sh.helm.release.v1.web.v2"),
    secret("sh.helm.release.v1.web.v3.v4", "deployed"),
    secret("sh.helm.release.v1.other.v11", "deployed"),
    secret("web", "deployed"),
  ];
  expect(revisionsOf(found, "web")).toEqual([
    { secret: "sh.helm.release.v1.web.v10", revision: 10, status: "pending-upgrade" },
    { secret: "sh.helm.release.v1.web.v9", revision: 9, status: "superseded" },
    { secret: "sh.helm.release.v1.web.v2", revision: 2, status: "unknown" },
  ]);
});
