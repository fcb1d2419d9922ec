import { type KubeObject, type OwnerReference, UsageError } from "@operator-path/client";

export interface OwnerReferenceOptions {
  /**
   * Whether a foreground deletion of the owner waits for this object. Default: true of a controller, else not said
   * (Go: WithBlockOwnerDeletion).
   */
  blockOwnerDeletion?: boolean | undefined;
}

/** Another controller has this object already. */
export class AlreadyOwnedError extends Error {
  readonly object: KubeObject;
  readonly owner: OwnerReference;

  constructor(object: KubeObject, owner: OwnerReference) {
    const { namespace = "", name = "" } = object.metadata ?? {};
    super(`Object ${namespace}/${name} is already owned by another ${owner.kind} controller ${owner.name}`);
    this.name = "AlreadyOwnedError";
    this.object = object;
    this.owner = owner;
  }
}

/**
 * The object with `owner` as its controller: it is deleted with it, and changes to it reconcile the owner (`owns`).
 * Returns another object and leaves the one given alone; the same object when it says so already.
 *
 * @throws AlreadyOwnedError when another controller has it
 * @throws UsageError when the owner lives in another namespace, or was never stored
 */
export function setControllerReference<T extends KubeObject>(
  owner: KubeObject,
  controlled: T,
  { blockOwnerDeletion = true }: OwnerReferenceOptions = {},
): T {
  validateOwner(owner, controlled);
  const reference = { ...referenceTo(owner), controller: true, blockOwnerDeletion };
  const existing = getControllerOf(controlled);
  if (existing && !isSameOwner(existing, reference)) throw new AlreadyOwnedError(controlled, existing);
  return withReference(controlled, reference);
}

/**
 * The object with `owner` among its owners: it is deleted when the last of them is. As `setControllerReference` in all
 * else.
 *
 * @throws UsageError when the owner lives in another namespace, or was never stored
 */
export function setOwnerReference<T extends KubeObject>(
  owner: KubeObject,
  object: T,
  options: OwnerReferenceOptions = {},
): T {
  validateOwner(owner, object);
  return withReference(object, { ...referenceTo(owner), ...options });
}

/** The object without `owner` among its owners. @throws UsageError when it is none of them */
export function removeOwnerReference<T extends KubeObject>(owner: KubeObject, object: T): T {
  const references = object.metadata?.ownerReferences ?? [];
  const left = references.filter((reference) => !isOwner(reference, owner));
  if (left.length === references.length) {
    throw new UsageError(`${nameOf(object)} does not have an owner reference for ${nameOf(owner)}`);
  }
  return { ...object, metadata: { ...object.metadata, ownerReferences: left } };
}

/** The object without `owner` as its controller. @throws UsageError when it is not its controller */
export function removeControllerReference<T extends KubeObject>(owner: KubeObject, object: T): T {
  const controller = getControllerOf(object);
  if (!controller) {
    throw new UsageError(`${nameOf(object)} does not have an owner reference with controller equals true`);
  }
  if (!isOwner(controller, owner)) {
    throw new UsageError(`${nameOf(owner)} is not the controller of ${nameOf(object)}`);
  }
  return removeOwnerReference(owner, object);
}

/** Whether some controller has the object. */
export function hasControllerReference(object: KubeObject): boolean {
  return getControllerOf(object) !== undefined;
}

/** Whether `owner` is among the object's owners, by group, kind and name, as in Go: the UID is not looked at. */
export function hasOwnerReference(object: KubeObject, owner: KubeObject): boolean {
  return (object.metadata?.ownerReferences ?? []).some((reference) => isOwner(reference, owner));
}

/** Go: metav1.GetControllerOf. */
export function getControllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find(({ controller }) => controller === true);
}

function withReference<T extends KubeObject>(object: T, reference: OwnerReference): T {
  const references = object.metadata?.ownerReferences ?? [];
  const index = references.findIndex((other) => isSameOwner(other, reference));
  if (index >= 0 && isEqual(references[index], reference)) return object;
  const ownerReferences = index < 0 ? [...references, reference] : references.with(index, reference);
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
}

function isEqual(a: OwnerReference | undefined, b: OwnerReference): boolean {
  const names = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"] as const;
  return a !== undefined && names.every((name) => a[name] === b[name]);
}

function referenceTo(owner: KubeObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  const { name, uid } = metadata ?? {};
  if (!apiVersion || !kind || !name || !uid) {
    const missing = Object.entries({ apiVersion, kind, "metadata.name": name, "metadata.uid": uid })
      .filter(([, value]) => !value)
      .map(([field]) => field);
    throw new UsageError(
      `the owner ${nameOf(owner)} has no ${missing.join(", ")}: an owner is an object as the server has stored it`,
    );
  }
  return { apiVersion, kind, name, uid };
}

function isOwner(reference: OwnerReference, { apiVersion = "", kind = "", metadata }: KubeObject): boolean {
  return isSameOwner(reference, { apiVersion, kind, name: metadata?.name ?? "", uid: "" });
}

/** In whatever version of its group. */
function isSameOwner(a: OwnerReference, b: OwnerReference): boolean {
  return groupOf(a.apiVersion) === groupOf(b.apiVersion) && a.kind === b.kind && a.name === b.name;
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}

function validateOwner(owner: KubeObject, object: KubeObject): void {
  const ownerNamespace = owner.metadata?.namespace;
  const namespace = object.metadata?.namespace;
  if (!ownerNamespace) return;
  if (!namespace) {
    throw new UsageError(
      `cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`,
    );
  }
  if (namespace !== ownerNamespace) {
    throw new UsageError(
      `cross-namespace owner references are disallowed, owner's namespace ${ownerNamespace}, obj's namespace ${namespace}`,
    );
  }
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind ?? "object"} ${JSON.stringify(metadata?.name ?? "")}`;
}
