import { createLogger, createScheme } from "@operator-path/controller-runtime";
import { createFakeClient } from "@operator-path/controller-runtime/testing";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { ovhNginxes } from "../api/v1/zz_generated.resources.ts";

// For tests without a cluster.

export const request = { namespace: "test", name: "sample" };
export const log = createLogger({ level: "silent" });

/** Returns an OvhNginx as the API server would have stored it. */
export function sample(spec: Partial<OvhNginx["spec"]> = {}): OvhNginx {
  return {
    apiVersion: "tutorials.ovhcloud.com/v1",
    kind: "OvhNginx",
    metadata: { ...request, uid: "1" },
    spec: { replicaCount: 2, port: 8080, ...spec },
  };
}

/** Returns a client of an empty cluster in memory, and the writes that it records: "create Deployment". */
export function emptyClient() {
  const writes: string[] = [];
  const client = createFakeClient({
    scheme: createScheme(ovhNginxes),
    interceptors: {
      create: (client, object, options) => {
        writes.push(`create ${object.kind}`);
        return client.create(object, options);
      },
      update: (client, object, options) => {
        writes.push(`update ${object.kind}`);
        return client.update(object, options);
      },
    },
  });
  return { client, writes };
}
