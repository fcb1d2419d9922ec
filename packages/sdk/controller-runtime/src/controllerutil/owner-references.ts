import { type KubeObject, type OwnerReference, UsageError } from "@operator-path/client";

/** Configures an owner reference. */
export interface OwnerReferenceOptions {
  /**
   * Whether a foreground deletion of the owner waits for this object. Default: true for a controller,
   * otherwise unset. Go: WithBlockOwnerDeletion.
   */
  blockOwnerDeletion?: boolean | undefined;
}

/** Another controller already owns the object. */
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
 * Returns the object with `owner` as its controller. The object is deleted with its owner, and its changes
 * reconcile the owner (`owns`). Does not change its argument, and returns the same object when the reference
 * is already there.
 *
 * @throws AlreadyOwnedError when another controller owns the object
 * @throws UsageError when the owner is in another namespace or was never stored
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
 * Returns the object with `owner` among its owners. The object is deleted with its last owner. Otherwise like
 * `setControllerReference`.
 *
 * @throws UsageError when the owner is in another namespace or was never stored
 */
export function setOwnerReference<T extends KubeObject>(
  owner: KubeObject,
  object: T,
  options: OwnerReferenceOptions = {},
): T {
  validateOwner(owner, object);
  return withReference(object, { ...referenceTo(owner), ...options });
}

/**
 * Returns the object without `owner` among its owners.
 *
 * @throws UsageError when `owner` is not one of them
 */
export function removeOwnerReference<T extends KubeObject>(owner: KubeObject, object: T): T {
  const references = object.metadata?.ownerReferences ?? [];
  const left = references.filter((reference) => !isOwner(reference, owner));
  if (left.length === references.length) {
    throw new UsageError(`${nameOf(object)} does not have an owner reference for ${nameOf(owner)}`);
  }
  return { ...object, metadata: { ...object.metadata, ownerReferences: left } };
}

/**
 * Returns the object without `owner` as its controller.
 *
 * @throws UsageError when `owner` is not its controller
 */
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

/** Returns whether the object has a controller. */
export function hasControllerReference(object: KubeObject): boolean {
  return getControllerOf(object) !== undefined;
}

/**
 * Returns whether `owner` is an owner of the object. Compares group, kind and name, not the UID, as Go does.
 */
export function hasOwnerReference(object: KubeObject, owner: KubeObject): boolean {
  return (object.metadata?.ownerReferences ?? []).some((reference) => isOwner(reference, owner));
}

/** Returns the owner reference of the object's controller, if any. Go: metav1.GetControllerOf. */
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
      `the owner ${nameOf(owner)} has no ${missing.join(", ")}: pass the owner as the server stored it`,
    );
  }
  return { apiVersion, kind, name, uid };
}

function isOwner(reference: OwnerReference, { apiVersion = "", kind = "", metadata }: KubeObject): boolean {
  return isSameOwner(reference, { apiVersion, kind, name: metadata?.name ?? "", uid: "" });
}

/** Compares the group, not the version. */
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
