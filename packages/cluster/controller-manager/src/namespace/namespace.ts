import { isDeepStrictEqual } from "node:util";
import { type Client, isNotFound, type KubeObject, type Namespace, namespaces } from "@operator-path/client";
import { createWorkQueue, unwrapTombstone } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { type DiscoveredResource, discoverResources, supports } from "../discovery.ts";
import { compare, isBeingDeleted, nameOf, namespaceOf, timestamp } from "../objects.ts";

/** In spec.finalizers of every namespace. This controller removes it when the namespace is empty. */
const kubernetesFinalizer = "kubernetes";

/**
 * Milliseconds from a namespace's deletion until its contents are deleted. `kubectl delete` of a folder deletes the
 * namespace first, and fails if the objects after it are gone. Kubernetes waits 5 s, for servers that see the deletion
 * late. Here is one server, and a busy machine.
 */
const grace = 3000;

/**
 * Deletes the contents of a terminating namespace, then removes its finalizer. Pods go first, because they
 * may need their Secrets and ConfigMaps until they end. Then everything else goes, custom resources included.
 * (Kubernetes: pkg/controller/namespace.)
 */
export function createNamespaceController(context: ControllerContext): Controller {
  const { client, informers, clock } = context;
  const queue = createWorkQueue<string>({ clock });
  const all = client.resource(namespaces);

  const enqueue = (namespace: Namespace) => {
    const deleted = namespace.metadata?.deletionTimestamp;
    if (deleted === undefined) return;
    queue.addAfter(nameOf(namespace), Math.max(0, Date.parse(deleted) + grace - clock.now()));
  };
  informers.namespaces.addEventHandler({ added: enqueue, updated: (_old, namespace) => enqueue(namespace) });
  // The last contents to disappear are usually Pods.
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
    // Reads the live object. The server rejects new contents from the moment of deletion, and a stale copy
    // would only cause a conflict.
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

/** What is left of one resource in a namespace after the deletion of its objects. */
interface Remainder {
  resource: DiscoveredResource;
  count: number;
  /** The number of objects per finalizer. */
  finalizers: Map<string, number>;
}

/**
 * Deletes all objects of a resource in a namespace. Resolves with those that remain because of a grace period
 * or finalizers. Throws if the API server rejects a request.
 */
async function deleteContents(
  client: Client,
  resource: DiscoveredResource,
  namespace: string,
): Promise<Remainder> {
  const objects = await list(client, resource, namespace);
  const waiting = objects.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  if (waiting.length > 0) await deleteAll(client, resource, namespace, waiting);

  const remaining = waiting.length > 0 ? await list(client, resource, namespace) : objects;
  const finalizers = new Map<string, number>();
  for (const finalizer of remaining.flatMap(({ metadata }) => metadata?.finalizers ?? [])) {
    finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  return { resource, count: remaining.length, finalizers };
}

async function list(client: Client, resource: DiscoveredResource, namespace: string): Promise<KubeObject[]> {
  if (!supports(resource, "list")) return [];
  // The resource's CustomResourceDefinition may have been deleted after discovery.
  const { items } = await client
    .resource(resource)
    .namespace(namespace)
    .list()
    .catch((error) => {
      if (isNotFound(error)) return { items: [] };
      throw error;
    });
  return items;
}

async function deleteAll(
  client: Client,
  resource: DiscoveredResource,
  namespace: string,
  objects: KubeObject[],
): Promise<void> {
  // The garbage collector would find only objects that are deleted here anyway.
  const propagationPolicy = "Background";
  const inNamespace = client.resource(resource).namespace(namespace);
  if (supports(resource, "deletecollection")) {
    await inNamespace.deleteCollection({ propagationPolicy });
    return;
  }
  for (const { metadata } of objects) {
    await inNamespace.delete(metadata?.name ?? "", { propagationPolicy }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

type NamespaceCondition = NonNullable<NonNullable<Namespace["status"]>["conditions"]>[number];

interface DeletionReport {
  discoveryError?: unknown;
  errors: unknown[];
  remainders: Remainder[];
}

/**
 * Returns the conditions of a terminating namespace, which `kubectl describe namespace` shows. Status "True"
 * always means a problem. (namespace/deletion/status_condition_utils.go.)
 */
function deletionConditions(
  existing: NamespaceCondition[],
  { discoveryError, errors, remainders }: DeletionReport,
  now: number,
): NamespaceCondition[] {
  const left = remainders.filter(({ count }) => count > 0);
  const resources = left.map(
    ({ resource: { plural, group }, count }) => `${plural}.${group} has ${count} resource instances`,
  );
  const finalizers = new Map<string, number>();
  for (const [finalizer, count] of left.flatMap((remainder) => [...remainder.finalizers])) {
    finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + count);
  }
  const holding = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  const failures = errors.map(messageOf).sort(compare);

  const conditions: [
    type: string,
    ok: [reason: string, message: string],
    bad?: [reason: string, message: string],
  ][] = [
    [
      "NamespaceDeletionDiscoveryFailure",
      ["ResourcesDiscovered", "All resources successfully discovered"],
      discoveryError === undefined ? undefined : ["DiscoveryFailed", messageOf(discoveryError)],
    ],
    [
      "NamespaceDeletionGroupVersionParsingFailure",
      ["ParsedGroupVersions", "All legacy kube types successfully parsed"],
    ],
    [
      "NamespaceDeletionContentFailure",
      ["ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
      failures.length === 0
        ? undefined
        : [
            "ContentDeletionFailed",
            `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(", ")}`,
          ],
    ],
    [
      "NamespaceContentRemaining",
      ["ContentRemoved", "All content successfully removed"],
      resources.length === 0
        ? undefined
        : ["SomeResourcesRemain", `Some resources are remaining: ${resources.sort(compare).join(", ")}`],
    ],
    [
      "NamespaceFinalizersRemaining",
      ["ContentHasNoFinalizers", "All content-preserving finalizers finished"],
      holding.length === 0
        ? undefined
        : [
            "SomeFinalizersRemain",
            `Some content in the namespace has finalizers remaining: ${holding.sort(compare).join(", ")}`,
          ],
    ],
  ];

  const ours = conditions.map(([type, ok, bad]): NamespaceCondition => {
    const [reason, message] = bad ?? ok;
    const status = bad === undefined ? "False" : "True";
    const old = existing.find((condition) => condition.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : timestamp(now);
    return { type, status, ...(lastTransitionTime && { lastTransitionTime }), reason, message };
  });
  return [...existing.filter(({ type }) => !ours.some((condition) => condition.type === type)), ...ours];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
