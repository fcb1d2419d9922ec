import { parseManifest } from "../drift/parse-manifest.ts";
import type { Release } from "../release/release.ts";
import { deployedRelease } from "../status/deployed-release.ts";
import type { KnownManifest } from "./memory.ts";
import type { Run } from "./run.ts";

/**
 * Returns the objects of a release's manifest. Most reconciles see the same manifest, so the last one stays
 * parsed.
 *
 * @throws ManifestError when the manifest is invalid; the status reports it
 */
export function manifestOf({ memory, status }: Run, { name, manifest }: Release): KnownManifest {
  if (memory.manifest?.text === manifest) return memory.manifest;
  try {
    const objects = parseManifest(manifest);
    memory.manifest = { text: manifest, objects, shown: deployedRelease(name, manifest) };
    return memory.manifest;
  } catch (error) {
    status.irreconcilable("ReconcileError", error);
    throw error;
  }
}
