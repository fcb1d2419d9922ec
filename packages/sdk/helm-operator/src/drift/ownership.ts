import {
  apiVersionOf,
  type KubeObject,
  type ObjectMeta,
  type OwnerReference,
  type Resource,
  UsageError,
} from "@operator-path/client";
import { getControllerOf } from "@operator-path/controller-runtime";
import { groupOf } from "../resources/resource-mapper.ts";
import type { ReleaseKey } from "./wanted.ts";

/** Names the primary resource of an object that cannot have it as its owner: `namespace/name`. */
export const primaryResourceAnnotation = "operator-sdk/primary-resource";
/** Names the kind of the primary resource: `Memcached.cache.example.com`. */
export const primaryResourceTypeAnnotation = "operator-sdk/primary-resource-type";

export interface PrimaryResource {
  /** As `typeOf` returns it. */
  readonly type: string;
  /** "" when it is cluster-scoped. */
  readonly namespace: string;
  readonly name: string;
}

/** Returns a kind with its group, without a version: `Memcached.cache.example.com`. */
export function typeOf({ kind, group }: Pick<Resource, "kind" | "group">): string {
  return group ? `${kind}.${group}` : kind;
}

/** Returns the primary resource that an object's annotations name; undefined when they name none. */
export function annotatedPrimary(metadata: ObjectMeta | undefined): PrimaryResource | undefined {
  const { [primaryResourceAnnotation]: primary, [primaryResourceTypeAnnotation]: type } =
    metadata?.annotations ?? {};
  if (!primary || !type) return undefined;
  const slash = primary.indexOf("/");
  return { type, namespace: slash < 0 ? "" : primary.slice(0, slash), name: primary.slice(slash + 1) };
}

/** The part of an object's metadata that names its owner. */
export interface Ownership {
  readonly ownerReferences?: readonly OwnerReference[];
  readonly annotations?: Readonly<Record<string, string>>;
  /**
   * The UID that no owner reference may have: the garbage collector would delete an object that must stay.
   */
  readonly notOwnedBy?: string;
}

/**
 * Returns the ownership of an object. An owner reference makes the garbage collector delete the object with
 * its owner. Annotations take its place where a reference is impossible (the object is cluster-scoped, or in
 * another namespace) or wrong (helm must keep the object).
 *
 * @param owner as the server has stored it
 * @throws UsageError when the owner lacks apiVersion, kind, name or UID
 */
export function ownershipOf(
  owner: KubeObject,
  object: { readonly namespace?: string | undefined; readonly keep: boolean },
): Ownership {
  const { apiVersion, kind, metadata } = owner;
  const { name, namespace = "", uid } = metadata ?? {};
  if (!apiVersion || !kind || !name || !uid) {
    throw new UsageError(
      "the owner of a release's objects must be an object as the server has stored it: with apiVersion, kind, metadata.name and metadata.uid",
    );
  }
  const isReachable = namespace === "" || namespace === object.namespace;
  if (isReachable && !object.keep) {
    return { ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }] };
  }
  return {
    annotations: {
      [primaryResourceAnnotation]: `${namespace}/${name}`,
      [primaryResourceTypeAnnotation]: typeOf({ kind, group: groupOf(apiVersion) }),
    },
    notOwnedBy: uid,
  };
}

/** Returns the owner references that may stay; the same list when all may. */
export function allowedReferences({ notOwnedBy }: Ownership, { metadata }: KubeObject): OwnerReference[] {
  const all = metadata?.ownerReferences ?? [];
  return all.some(({ uid }) => uid === notOwnedBy) ? all.filter(({ uid }) => uid !== notOwnedBy) : all;
}

/** Returns the paths of ownership fields that a live object lacks. */
export function missingOwnership(ownership: Ownership, live: KubeObject): string[] {
  const { ownerReferences, annotations } = ownership;
  const has = (wanted: OwnerReference) =>
    live.metadata?.ownerReferences?.some(
      (reference) =>
        reference.uid === wanted.uid &&
        reference.apiVersion === wanted.apiVersion &&
        reference.controller === true &&
        reference.blockOwnerDeletion === true,
    );
  const isTooMany = allowedReferences(ownership, live).length < (live.metadata?.ownerReferences ?? []).length;
  return [
    ...(isTooMany || ownerReferences?.every(has) === false ? ["metadata.ownerReferences"] : []),
    ...Object.entries(annotations ?? {})
      .filter(([name, value]) => live.metadata?.annotations?.[name] !== value)
      .map(([name]) => `metadata.annotations[${JSON.stringify(name)}]`),
  ];
}

/** The object belongs to another owner, so this release must not change it. */
export class ForeignObjectError extends Error {
  override readonly name = "ForeignObjectError";
}

/** @throws ForeignObjectError when a live object belongs to another controller or release */
export function refuseForeign(live: KubeObject, owner: KubeObject, release: ReleaseKey): void {
  const { annotations = {} } = live.metadata ?? {};
  const [name, namespace] = [
    annotations["meta.helm.sh/release-name"],
    annotations["meta.helm.sh/release-namespace"],
  ];
  const isOthers = (own: string, found: string | undefined) => found !== undefined && found !== own;
  if (isOthers(release.name, name) || isOthers(release.namespace, namespace)) {
    throw new ForeignObjectError(
      `it belongs to the release ${name ?? ""} of the namespace ${namespace ?? ""}: give it another name in one of the charts, or uninstall that release`,
    );
  }
  const controller = getControllerOf(live);
  if (!controller) return;
  const { apiVersion = "", kind = "" } = owner;
  const isMine =
    controller.name === owner.metadata?.name &&
    controller.kind === kind &&
    groupOf(controller.apiVersion) === groupOf(apiVersion);
  if (!isMine) {
    throw new ForeignObjectError(
      `its controller is the ${controller.kind} ${controller.name}: give it another name in the chart, or remove that owner reference`,
    );
  }
}

/** Returns a patch for server-side apply that contains the ownership alone, for this very object. */
export function ownershipPatch(resource: Resource, live: KubeObject, ownership: Ownership): KubeObject {
  const { name, namespace, uid } = live.metadata ?? {};
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      ...(name ? { name } : {}),
      ...(namespace ? { namespace } : {}),
      // Without the UID, the patch would create a deleted object again, or adopt a new one of its name.
      ...(uid ? { uid } : {}),
      ...(ownership.ownerReferences ? { ownerReferences: [...ownership.ownerReferences] } : {}),
      ...(ownership.annotations ? { annotations: { ...ownership.annotations } } : {}),
    },
  };
}
