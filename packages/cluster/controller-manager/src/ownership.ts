import {
  apiVersionOf,
  type Client,
  isInvalid,
  isNotFound,
  type KubeObject,
  type LabelSelector,
  type OwnerReference,
  type PatchBodies,
  type Pod,
  type Resource,
} from "@operator-path/client";
import { matchLabels, type SharedInformer } from "@operator-path/informers";
import { isBeingDeleted, nameOf, namespaceOf, uidOf } from "./objects.ts";

/** Returns the owner reference with `controller: true`, if any. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find((reference) => reference.controller === true);
}

/** Builds the controller reference to `owner`. It blocks the owner's foreground deletion. */
export function controllerRef(owner: KubeObject, resource: Resource): OwnerReference {
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name: nameOf(owner),
    uid: uidOf(owner),
    controller: true,
    blockOwnerDeletion: true,
  };
}

interface ClaimOptions<T extends KubeObject> {
  client: Client;
  owner: KubeObject;
  ownerResource: Resource;
  resource: Resource<T>;
  /** Whether the owner's selector matches. */
  matches: (object: T) => boolean;
  /** Objects of the owner's namespace that the owner controls, or that have no controller. */
  candidates: T[];
}

/**
 * Returns the candidates that the owner controls, after adoption and release. Adopts orphans that the
 * selector matches, and releases objects that it no longer matches. Takes nothing from another controller. An
 * owner that is being deleted neither adopts nor releases. (client-go: controller.BaseControllerRefManager.)
 *
 * Throws if the API server rejects a patch, or if the adopting owner has just been deleted. The caller
 * reconciles again.
 */
export async function claim<T extends KubeObject>(options: ClaimOptions<T>): Promise<T[]> {
  const { client, owner, ownerResource, resource, matches, candidates } = options;
  const ownerUid = uidOf(owner);
  const claimed: T[] = [];
  let mayAdopt: Promise<void> | undefined;

  for (const object of candidates) {
    const controller = controllerOf(object);
    if (controller !== undefined && controller.uid !== ownerUid) continue;
    if (controller !== undefined && matches(object)) {
      claimed.push(object);
      continue;
    }
    if (isBeingDeleted(owner)) continue;

    if (controller !== undefined) {
      await patchOwners(object, { uid: ownerUid, $patch: "delete" }).catch(ignoreGone);
    } else if (matches(object) && !isBeingDeleted(object)) {
      // The cached owner may have been deleted long ago, and an adopted object would be garbage-collected at
      // once. Confirm once that it exists.
      mayAdopt ??= assertAlive(client, owner, ownerResource);
      await mayAdopt;
      const adopted = await patchOwners(object, controllerRef(owner, ownerResource)).catch(ignoreNotFound);
      if (adopted !== undefined) claimed.push(adopted);
    }
  }
  return claimed;

  // metadata.uid is a precondition, so a recreated object of the same name is not patched.
  function patchOwners(object: T, reference: object): Promise<T> {
    const metadata = { uid: uidOf(object), ownerReferences: [reference] };
    const patch = { metadata } as PatchBodies<T>["strategic"];
    return client
      .resource(resource)
      .namespace(namespaceOf(object))
      .patch(nameOf(object), patch, { type: "strategic" });
  }
}

async function assertAlive(client: Client, owner: KubeObject, resource: Resource): Promise<void> {
  const fresh = await client.resource(resource).namespace(namespaceOf(owner)).get(nameOf(owner));
  const what = `${resource.kind} ${namespaceOf(owner)}/${nameOf(owner)}`;
  if (fresh.metadata?.uid !== uidOf(owner)) {
    throw new Error(`original ${what} is gone: got uid ${fresh.metadata?.uid}, wanted ${uidOf(owner)}`);
  }
  if (isBeingDeleted(fresh)) {
    throw new Error(`${what} has just been deleted at ${fresh.metadata?.deletionTimestamp}`);
  }
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** Invalid means that the uid did not match, or that the reference was already removed. */
function ignoreGone(error: unknown): undefined {
  if (!isNotFound(error) && !isInvalid(error)) throw error;
}

/**
 * Whether the selector of a workload matches the object. The API server rejects an empty selector, which
 * would match everything. Here it matches nothing.
 */
export function selects(
  { spec }: { readonly spec?: { readonly selector?: LabelSelector } },
  { metadata }: KubeObject,
): boolean {
  const { matchLabels: labels = {}, matchExpressions = [] } = spec?.selector ?? {};
  if (Object.keys(labels).length === 0 && matchExpressions.length === 0) return false;
  return matchLabels({ matchLabels: labels, matchExpressions }, metadata?.labels ?? {});
}

/**
 * Returns the owners of one kind that a Pod's change affects: its controller, or for an orphan all that could
 * adopt it. (Kubernetes: resolveControllerRef and getPodControllers of the workload controllers.)
 */
export function possibleOwners<T extends KubeObject>(
  pod: Pod,
  resource: Resource<T>,
  informer: SharedInformer<T>,
  selects: (owner: T, pod: Pod) => boolean,
): T[] {
  const controller = controllerOf(pod);
  const inNamespace = informer.lister.namespace(namespaceOf(pod));
  // The compiler cannot prove that a Frozen<T> is a T while T's fields are unknown.
  if (controller === undefined) return (inNamespace.list() as T[]).filter((owner) => selects(owner, pod));
  if (controller.kind !== resource.kind) return [];
  const owner = inNamespace.get(controller.name) as T | undefined;
  return owner !== undefined && uidOf(owner) === controller.uid ? [owner] : [];
}
