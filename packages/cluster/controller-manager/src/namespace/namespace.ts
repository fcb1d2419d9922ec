import { isDeepStrictEqual } from "node:util";
import { isNotFound, type Namespace, namespaces } from "@operator-path/client";
import { createWorkQueue, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { type DiscoveredResource, discoverResources, supports } from "../discovery.ts";
import { isBeingDeleted, nameOf, namespaceOf } from "../objects.ts";
import { type DeletionReport, deletionConditions } from "./conditions.ts";
import { deleteContents } from "./contents.ts";

/** In spec.finalizers of every namespace: what this controller removes when the namespace is empty. */
const kubernetesFinalizer = "kubernetes";

/**
 * Empties a namespace that is being deleted, and then lets it go: Pods first, because they may need their Secrets and
 * ConfigMaps until the end; then everything else, custom resources included. (Kubernetes: pkg/controller/namespace.)
 */
export function createNamespaceController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });
  const all = client.resource(namespaces);

  const enqueue = (namespace: Namespace) => {
    if (isBeingDeleted(namespace)) queue.add(nameOf(namespace));
  };
  informers.namespaces.addEventHandler({ added: enqueue, updated: (_old, namespace) => enqueue(namespace) });
  // Usually it is Pods that are waited for.
  informers.pods.addEventHandler({
    deleted(pod) {
      const namespace = informers.namespaces.lister.get(namespaceOf(unwrapTombstone(pod)));
      if (namespace !== undefined) enqueue(namespace);
    },
  });
  return runController(context, { name: "namespace", queue, workers: 5, reconcile });

  async function reconcile(name: string): Promise<undefined | "requeue"> {
    const cached = informers.namespaces.lister.get(name);
    if (cached === undefined || !isBeingDeleted(cached) || isFinalized(cached)) return undefined;
    // Live: the server refuses new content from the moment of deletion, and a stale copy would only give a conflict.
    const namespace = await all.get(name).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
    if (!namespace || !isBeingDeleted(namespace) || isFinalized(namespace)) return undefined;

    const report = await empty(name);
    const conditions = deletionConditions(namespace.status?.conditions ?? [], report, clock.now());
    const status = { ...namespace.status, phase: "Terminating", conditions };
    const current = isDeepStrictEqual(status, namespace.status)
      ? namespace
      : await all.updateStatus({ ...namespace, status });

    const errors = [report.discoveryError, ...report.errors].filter((error) => error !== undefined);
    if (errors.length > 0)
      throw errors.length === 1 ? errors[0] : new AggregateError(errors, errors.map(String).join("; "));
    if (report.remainders.some(({ count }) => count > 0)) return "requeue";

    const finalizers = (current.spec?.finalizers ?? []).filter(
      (finalizer) => finalizer !== kubernetesFinalizer,
    );
    await all.updateSubresource(name, "finalize", { ...current, spec: { ...current.spec, finalizers } });
    return undefined;
  }

  async function empty(name: string): Promise<DeletionReport> {
    const report: DeletionReport = { errors: [], remainders: [] };
    let resources: DiscoveredResource[];
    try {
      resources = (await discoverResources(client)).filter(isContent);
    } catch (discoveryError) {
      return { ...report, discoveryError };
    }
    const isPods = ({ group, plural }: DiscoveredResource) => group === "" && plural === "pods";
    await emptyOf(resources.filter(isPods));
    const podsRemain = report.remainders.some(({ count }) => count > 0);
    if (!podsRemain) await emptyOf(resources.filter((resource) => !isPods(resource)));
    return report;

    async function emptyOf(some: DiscoveredResource[]): Promise<void> {
      const results = await Promise.allSettled(
        some.map((resource) => deleteContents(client, resource, name)),
      );
      for (const result of results) {
        if (result.status === "fulfilled") report.remainders.push(result.value);
        else report.errors.push(result.reason);
      }
    }
  }
}

function isFinalized({ spec }: Namespace): boolean {
  return (spec?.finalizers ?? []).length === 0;
}

function isContent(resource: DiscoveredResource): boolean {
  return resource.namespaced && resource.preferred && supports(resource, "delete");
}
