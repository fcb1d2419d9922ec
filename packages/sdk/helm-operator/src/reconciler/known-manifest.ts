import { type ManifestObject, parseManifest } from "../drift/parse-manifest.ts";
import type { Release } from "../release/release.ts";
import type { DeployedRelease } from "../status/conditions.ts";
import { deployedRelease } from "../status/deployed-release.ts";
import type { Run } from "./run.ts";

/** What a manifest says, read once: most reconciles find the same one again, and reading YAML is what they would cost. */
export interface KnownManifest {
  readonly text: string;
  readonly objects: readonly ManifestObject[];
  /** For the status. */
  readonly shown: DeployedRelease;
}

/** @throws ManifestError when it is none, and then the status says so */
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
