import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Client } from "@operator-path/client";
import type { ClusterObject } from "./cluster-objects.ts";

/** How long what is deleted may take to go, in milliseconds: Pods have half a minute to end. */
const patience = 120_000;

/** What controllers make and remove for others. */
const followers = /^(?:endpoints|endpointslices|replicasets|componentstatuses|bindings)$/;

export interface Leftovers {
  readonly client: Client;
  list(): Promise<ReadonlyMap<string, ClusterObject>>;
  readonly before: ReadonlyMap<string, ClusterObject>;
  own(object: ClusterObject): boolean;
  /** Milliseconds after which those of custom resources are taken off: the operator that would have done its part may have ended with the page. */
  readonly finalizers: number;
}

/**
 * Deletes the `own` objects that are new since `before`, Events and Leases included, and waits until they are deleted.
 * Resolves to a line for each object that remains.
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
    const lasting = left.filter(({ resource }) => !followers.test(resource));
    if (lasting.length === 0) return [];
    const late = Date.now() - began > finalizers;
    await Promise.all(
      lasting.map(async ({ path, group }) => {
        const request = ignoreRefusals(client);
        if (!deleted.has(path)) await request("DELETE", path, { propagationPolicy: "Background" });
        deleted.add(path);
        // Only a custom resource's: those of Kubernetes' own kinds are the cluster's business.
        if (late && isCustom({ group })) await request("PATCH", path, { metadata: { finalizers: null } });
      }),
    );
    if (Date.now() - began > patience) return lasting.map(({ label }) => `in the cluster: ${label}`);
    await sleep(wait);
  }
}

/** Every namespace has them, or `default`, and gets them back. */
export function madeForNamespace({ resource, name, namespace }: ClusterObject): boolean {
  return (
    (resource === "services" && name === "kubernetes" && namespace === "default") ||
    (resource === "configmaps" && name === "kube-root-ca.crt") ||
    (resource === "serviceaccounts" && name === "default")
  );
}

export function isCustom({ group }: Pick<ClusterObject, "group">): boolean {
  return group.includes(".") && !group.endsWith(".k8s.io");
}

function ignoreRefusals(client: Client) {
  return async (method: "DELETE" | "PATCH", path: string, body: object): Promise<void> => {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    try {
      await client.request({ method, path, headers: { "content-type": type }, body });
    } catch (error) {
      // It is deleted already, or about to be. What remains is reported at the end.
      if (!(error instanceof ApiError)) throw error;
    }
  };
}
