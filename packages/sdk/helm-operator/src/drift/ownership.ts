import type { KubeObject, OwnerReference, Resource } from "@operator-path/client";
import { apiVersionOf, UsageError } from "@operator-path/client";
import { getControllerOf } from "@operator-path/controller-runtime";
import { groupOf } from "../resources/group-of.ts";
import { primaryResourceAnnotation, primaryResourceTypeAnnotation, typeOf } from "./primary-resource.ts";
import type { ReleaseKey } from "./wanted.ts";

/** What an object's metadata says of whose it is. */
export interface Ownership {
  readonly ownerReferences?: readonly OwnerReference[];
  readonly annotations?: Readonly<Record<string, string>>;
  /** The UID that no owner reference may have: the garbage collector would delete what is to stay. */
  readonly notOwnedBy?: string;
}

/**
 * By owner reference, so that the garbage collector deletes the object with its owner; by annotations where an owner
 * reference cannot be (the object is in no namespace, or in another) or must not (helm is told to keep it).
 *
 * @param owner as the server has stored it
 */
export function ownershipOf(
  owner: KubeObject,
  object: { readonly namespace?: string | undefined; readonly keep: boolean },
): Ownership {
  const { apiVersion, kind, metadata } = owner;
  const { name, namespace = "", uid } = metadata ?? {};
  if (!apiVersion || !kind || !name || !uid) {
    throw new UsageError(
      "the owner of a release's objects has to be an object as the server has stored it: with apiVersion, kind, metadata.name and metadata.uid",
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

/** Those that may stay; the very same list when all may. */
export function allowedReferences({ notOwnedBy }: Ownership, { metadata }: KubeObject): OwnerReference[] {
  const all = metadata?.ownerReferences ?? [];
  return all.some(({ uid }) => uid === notOwnedBy) ? all.filter(({ uid }) => uid !== notOwnedBy) : all;
}

/** The fields of a live object that are not as they have to be, as paths. */
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

/** The object is another's: its fields are nothing that this release may change. */
export class ForeignObjectError extends Error {
  override readonly name = "ForeignObjectError";
}

/** @throws ForeignObjectError when a live object says that it is another controller's, or another release's */
export function refuseForeign(live: KubeObject, owner: KubeObject, release: ReleaseKey): void {
  const { annotations = {} } = live.metadata ?? {};
  const [name, namespace] = [
    annotations["meta.helm.sh/release-name"],
    annotations["meta.helm.sh/release-namespace"],
  ];
  const isOthers = (mine: string, said: string | undefined) => said !== undefined && said !== mine;
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

/** A patch for server-side apply: ownership, and nothing else. Of no other object than this one. */
export function ownershipPatch(resource: Resource, live: KubeObject, ownership: Ownership): KubeObject {
  const { name, namespace, uid } = live.metadata ?? {};
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      ...(name ? { name } : {}),
      ...(namespace ? { namespace } : {}),
      // An object that has gone meanwhile would be made anew, of nothing but this; another one would be made ours.
      ...(uid ? { uid } : {}),
      ...(ownership.ownerReferences ? { ownerReferences: [...ownership.ownerReferences] } : {}),
      ...(ownership.annotations ? { annotations: { ...ownership.annotations } } : {}),
    },
  };
}
