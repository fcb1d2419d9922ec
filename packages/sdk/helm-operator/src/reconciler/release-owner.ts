import { createHash } from "node:crypto";
import type { KubeObject, Resource } from "@operator-path/client";
import {
  getControllerOf,
  ignoreNotFound,
  metadataOnly,
  objectKeyOf,
} from "@operator-path/controller-runtime";
import {
  annotatedPrimary,
  type PrimaryResource,
  primaryResourceTypeAnnotation,
  typeOf,
} from "../drift/ownership.ts";
import { type ManifestObject, parseManifest } from "../drift/parse-manifest.ts";
import type { Release } from "../release/release.ts";
import type { ReleaseState } from "../release/release-state.ts";
import { groupOf } from "../resources/resource-mapper.ts";
import type { HelmStatus } from "../status/conditions.ts";
import { deployedRelease } from "../status/deployed-release.ts";
import type { Run } from "./run.ts";

/** The release label that names the kind of the owning object. The object has the release's name. */
export const ownerLabel = primaryResourceTypeAnnotation;

/** The labels that every install and upgrade for a kind sets. */
export function ownerLabels(resource: Pick<Resource, "kind" | "group">): Record<string, string> {
  return { [ownerLabel]: labelOf(typeOf(resource)) };
}

/**
 * Returns the object of another kind that owns a release, as text ("Proxy.example.com shop"). Returns
 * undefined if this object or no object owns the release. The release's label determines the owner. An
 * adopted release of plain helm has no label, so the owner of its objects counts.
 */
export async function otherOwner(run: Run, release: Release): Promise<string | undefined> {
  const { settings, key } = run;
  const label = release.labels?.[ownerLabel];
  if (label !== undefined) {
    return label === labelOf(typeOf(settings.resource)) ? undefined : `${label} ${key.name}`;
  }
  for (const { object } of objectsOf(release)) {
    const owner = await ownerOf(run, object);
    // A controller of another name has taken one of the chart's objects. The repair reports that.
    if (owner?.name !== key.name || owner.namespace !== key.namespace) continue;
    return owner.type === typeOf(settings.resource) ? undefined : `${owner.type} ${key.name}`;
  }
  return undefined;
}

/** Returns the live object's owner; undefined when it does not exist, or has none. */
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

/** Returns a type as a label value, which has at most 63 characters. A group may have 253. */
function labelOf(type: string): string {
  if (type.length <= 63) return type;
  const digest = createHash("sha256").update(type).digest("hex").slice(0, 12);
  return `${type.slice(0, 50)}.${digest}`;
}

/** Returns whether the release belongs to an object of another kind, or comes from another chart. */
export function isForeign({ settings, memory }: Run, state: ReleaseState): boolean {
  if (state.kind === "absent") return false;
  return memory.read?.otherOwner !== undefined || state.release.chart.name !== settings.chart.name;
}

/**
 * Returns whether the object's status shows this very release, so that only its chart was renamed. The
 * release's name alone proves nothing: the object's own release may have been replaced by another one.
 */
export function isShownAsOwn({ object, key, memory }: Run, { manifest }: Release): boolean {
  if (memory.read?.otherOwner !== undefined) return false;
  const { status }: KubeObject & { status?: HelmStatus } = object;
  const shown = deployedRelease(key.name, manifest);
  const known = status?.deployedRelease;
  return known?.name === shown.name && known.manifest === shown.manifest;
}

/** Ends the reconcile before it touches a foreign release. @throws Error when the release is foreign */
export function refuseForeign(run: Run, state: ReleaseState): void {
  if (state.kind === "absent" || !isForeign(run, state)) return;
  const { key, settings, status, memory } = run;
  const { otherOwner } = memory.read ?? {};
  const error = new Error(
    otherOwner !== undefined
      ? `the release ${key.name} in the namespace ${key.namespace} belongs to the ${otherOwner}: rename one of the two objects, or delete that one first`
      : `the release ${key.name} in the namespace ${key.namespace} comes from the chart ${state.release.chart.name}, but this object needs the chart ${settings.chart.name}: rename the object, or uninstall that release`,
  );
  status.irreconcilable("ErrorGettingReleaseState", error);
  throw error;
}
