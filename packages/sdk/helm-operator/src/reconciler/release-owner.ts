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

/** The label of a release that names the kind of its object; the object's name is the release's. */
export const ownerLabel = primaryResourceTypeAnnotation;

/** What every release of a kind is installed and upgraded with. */
export function ownerLabels(resource: Pick<Resource, "kind" | "group">): Record<string, string> {
  return { [ownerLabel]: labelOf(typeOf(resource)) };
}

/**
 * The object of another kind that a release belongs to, as text ("Proxy.example.com shop"); undefined when it is this
 * object's, or nobody's. The label says so; of a release that has none (it was installed with plain helm, and adopted) what
 * it consists of does.
 */
export async function otherOwner(run: Run, release: Release): Promise<string | undefined> {
  const { settings, key } = run;
  const label = release.labels?.[ownerLabel];
  if (label !== undefined) {
    return label === labelOf(typeOf(settings.resource)) ? undefined : `${label} ${key.name}`;
  }
  for (const { object } of objectsOf(release)) {
    const owner = await ownerOf(run, object);
    // One of another name is some controller's that has taken one of the chart's objects: that is the repair's to say.
    if (owner?.name !== key.name || owner.namespace !== key.namespace) continue;
    return owner.type === typeOf(settings.resource) ? undefined : `${owner.type} ${key.name}`;
  }
  return undefined;
}

/** Undefined when the object is not there, or nobody's. */
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

/** A manifest that cannot be read says nothing here; whoever needs it says so. */
function objectsOf({ manifest }: Release): readonly ManifestObject[] {
  try {
    return parseManifest(manifest).filter(({ hook, object }) => !hook && object.metadata?.name);
  } catch {
    return [];
  }
}

/** A label has 63 characters, a group may have 253. */
function labelOf(type: string): string {
  if (type.length <= 63) return type;
  const digest = createHash("sha256").update(type).digest("hex").slice(0, 12);
  return `${type.slice(0, 50)}.${digest}`;
}
