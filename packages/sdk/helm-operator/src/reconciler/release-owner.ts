import { createHash } from "node:crypto";
import type { KubeObject, Resource } from "@operator-path/client";
import {
  getControllerOf,
  ignoreNotFound,
  metadataOnly,
  objectKeyOf,
} from "@operator-path/controller-runtime";
import { type ManifestObject, parseManifest } from "../drift/parse-manifest.ts";
import {
  annotatedPrimary,
  type PrimaryResource,
  primaryResourceTypeAnnotation,
  typeOf,
} from "../drift/primary-resource.ts";
import type { Release } from "../release/release.ts";
import { groupOf } from "../resources/group-of.ts";
import type { Run } from "./run.ts";

/** The release label that names the kind of the owning object. The object has the release's name. */
export const ownerLabel = primaryResourceTypeAnnotation;

/** The labels that every install and upgrade for a kind sets. */
export function ownerLabels(resource: Pick<Resource, "kind" | "group">): Record<string, string> {
  return { [ownerLabel]: labelOf(typeOf(resource)) };
}

/**
 * Returns the object of another kind that owns a release, as text ("Proxy.example.com shop"). Returns
 * undefined when the release belongs to this object, or to none. The label decides. Without it (a release of
 * plain helm that was adopted), the owner of the release's objects does.
 */
export async function otherOwner(run: Run, release: Release): Promise<string | undefined> {
  const { settings, key } = run;
  const label = release.labels?.[ownerLabel];
  if (label !== undefined) {
    return label === labelOf(typeOf(settings.resource)) ? undefined : `${label} ${key.name}`;
  }
  for (const { object } of objectsOf(release)) {
    const owner = await ownerOf(run, object);
    // An owner of another name is a controller that has taken one of the chart's objects. The repair reports
    // it.
    if (owner?.name !== key.name || owner.namespace !== key.namespace) continue;
    return owner.type === typeOf(settings.resource) ? undefined : `${owner.type} ${key.name}`;
  }
  return undefined;
}

/** Undefined when the object does not exist, or has no owner. */
async function ownerOf(
  { mapper, apiReader, key, signal }: Run,
  object: KubeObject,
): Promise<PrimaryResource | undefined> {
  const resource = await mapper.resourceFor(object);
  if (!resource) return undefined;
  const { name, namespace } = objectKeyOf(object);
  const at = { name, namespace: resource.namespaced ? namespace || key.namespace : "" };
  const live = await apiReader.get(metadataOnly(resource), at, { signal }).catch(ignoreNotFound);
  const controller = live && getControllerOf(live);
  if (controller) {
    const { apiVersion, kind, name } = controller;
    return { type: typeOf({ kind, group: groupOf(apiVersion) }), namespace: at.namespace, name };
  }
  return annotatedPrimary(live?.metadata);
}

/** An invalid manifest names no owner. The steps that need the manifest report it. */
function objectsOf({ manifest }: Release): readonly ManifestObject[] {
  try {
    return parseManifest(manifest).filter(({ hook, object }) => !hook && object.metadata?.name);
  } catch {
    return [];
  }
}

/** A label has at most 63 characters, but a group may have 253. */
function labelOf(type: string): string {
  if (type.length <= 63) return type;
  const digest = createHash("sha256").update(type).digest("hex").slice(0, 12);
  return `${type.slice(0, 50)}.${digest}`;
}
