import { ApiError, createClient, customResourceDefinitions } from "@operator-path/client";
import { startTestCluster } from "@operator-path/cluster/testing";
import { findControlPlane } from "@operator-path/tools";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { expectedFiles } from "../testing/cases.ts";
import {
  memcacheds,
  validateMemcached,
} from "../testing/testdata/memcached/v1alpha1/zz_generated.resources.ts";

/** The other test cases contain schemas that a server rejects, such as a default of the wrong type. */
const served = ["cronjob", "descriptions", "embedded", "enums", "inheritance", "memcached", "presence"];

test("a real kube-apiserver accepts generated CRDs and rejects objects with the validator's messages", async ({
  skip,
}) => {
  const missing = await findControlPlane({ mayBuild: false }).then(
    () => undefined,
    (error: Error) => error.message,
  );
  skip(missing !== undefined, `there is no kube-apiserver and etcd on this machine: ${missing}`);
  const cluster = await startTestCluster({ provider: "envtest" });
  onTestFinished(() => cluster.stop());
  const client = createClient(cluster.kubeConfig);
  onTestFinished(() => client.close());
  for (const text of served.flatMap((name) => [...expectedFiles(name).values()])) {
    await client.resource(customResourceDefinitions).create(parse(text), { fieldValidation: "Strict" });
  }
  const api = client.resource(memcacheds).namespace("default");
  await vi.waitFor(() => api.list());
  for (const spec of [{ size: "3" }, { size: -1 }, { size: 1.5 }, { size: null }, {}, [], "many"]) {
    const rejection = await api
      .create({ metadata: { generateName: "a-" }, spec } as never)
      .catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(ApiError);
    const causes = (rejection as ApiError).status.details?.causes?.filter(({ field }) => field !== "<nil>");
    expect(validateMemcached({ spec }), JSON.stringify(spec)).toEqual(causes);
  }
});
