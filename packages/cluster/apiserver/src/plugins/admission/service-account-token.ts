import type { JsonObject } from "../../lib/json/json.ts";
import { objects, text } from "../../lib/json/read.ts";
import { generateName } from "../../server/registry/metadata.ts";

const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const prefix = "kube-api-access-";

/**
 * Mounts a token, the cluster's CA and the namespace where client libraries look for them. Skips containers
 * that mount something else there.
 */
export function mountToken(spec: JsonObject, random: () => number): void {
  const containers = [...objects(spec.initContainers), ...objects(spec.containers)];
  const without = containers.filter(
    ({ volumeMounts }) => !objects(volumeMounts).some((mount) => mount.mountPath === mountPath),
  );
  if (without.length === 0) return;
  const volumes = objects(spec.volumes);
  const present = volumes.map(({ name }) => text(name)).find((name) => name.startsWith(prefix));
  const volume = present ?? generateName(prefix, random);
  for (const container of without) {
    container.volumeMounts = [
      ...objects(container.volumeMounts),
      { name: volume, readOnly: true, mountPath },
    ];
  }
  if (present === undefined) spec.volumes = [...volumes, { name: volume, projected: tokenProjection() }];
}

function tokenProjection(): JsonObject {
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
        },
      },
    ],
    defaultMode: 420,
  };
}
