import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Client } from "@operator-path/client";
import { type ClusterObject, isCustom } from "./cluster-objects.ts";

/** How long deleted objects may take to disappear, in milliseconds. Pods have 30 seconds to end. */
const patience = 120_000;

/** Objects that controllers create and delete for other objects. */
const dependents = /^(?:endpoints|endpointslices|replicasets|componentstatuses|bindings)$/;

export interface Leftovers {
  readonly client: Client;
  list(): Promise<ReadonlyMap<string, ClusterObject>>;
  readonly before: ReadonlyMap<string, ClusterObject>;
  own(object: ClusterObject): boolean;
  /**
   * Milliseconds after which the finalizers of custom resources are removed: their operator may have ended
   * with the page.
   */
  readonly finalizers: number;
}

/**
 * Deletes the `own` objects that are not in `before`, Events and Leases included, and waits until they have
 * disappeared. Resolves to a line for each object that remains.
 */
export async function removeLeftovers({
  client,
  list,
  before,
  own,
  finalizers,
}: Leftovers): Promise<string[]> {
  const began = Date.now();
  const deleted = new Set<string>();
  for (let wait = 100; ; wait = Math.min(wait * 2, 1000)) {
    const left = [...(await list()).values()].filter(
      (object) => !before.has(object.path) && own(object) && !madeForNamespace(object),
    );
    const lasting = left.filter(({ resource }) => !dependents.test(resource));
    if (lasting.length === 0) return [];
    const late = Date.now() - began > finalizers;
    await Promise.all(
      lasting.map(async ({ path, ...kind }) => {
        const request = ignoreRefusals(client);
        if (!deleted.has(path)) await request("DELETE", path, { propagationPolicy: "Background" });
        deleted.add(path);
        // The cluster itself handles the finalizers of Kubernetes' own kinds.
        if (late && isCustom(kind)) await request("PATCH", path, { metadata: { finalizers: null } });
      }),
    );
    if (Date.now() - began > patience) return lasting.map(({ label }) => `in the cluster: ${label}`);
    await sleep(wait);
  }
}

/**
 * Reports whether the cluster creates the object for a namespace, and creates it again when it is deleted.
 */
export function madeForNamespace({ resource, name, namespace }: ClusterObject): boolean {
  return (
    (resource === "services" && name === "kubernetes" && namespace === "default") ||
    (resource === "configmaps" && name === "kube-root-ca.crt") ||
    (resource === "serviceaccounts" && name === "default")
  );
}

function ignoreRefusals(client: Client) {
  return async (method: "DELETE" | "PATCH", path: string, body: object): Promise<void> => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    try {
      await client.request({ method, path, headers: { "content-type": type }, body });
    } catch (error) {
      // The object is deleted already, or will be. The caller reports what remains.
      if (!(error instanceof ApiError)) throw error;
    }
  };
}
