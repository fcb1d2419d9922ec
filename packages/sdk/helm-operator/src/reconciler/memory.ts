import type { ManifestObject } from "../drift/parse-manifest.ts";
import type { ReleaseState } from "../release/release-state.ts";
import type { DeployedRelease } from "../status/conditions.ts";

/** A manifest and what it was parsed into. */
export interface KnownManifest {
  readonly text: string;
  readonly objects: readonly ManifestObject[];
  /** For the status. */
  readonly shown: DeployedRelease;
}

/**
 * What is known of one object's release between reconciles. Nothing in it is needed: after a restart each release costs one
 * dry run, and an upgrade that had failed is tried once more.
 */
export interface Memory {
  /** As it was read last, the Secrets that it was read from, and whose it is if it is another object's. */
  read?: { secrets: string; state: ReleaseState; otherOwner: string | undefined };
  /** Of the release that was deployed last. */
  manifest?: KnownManifest;
  /** Values, chart and release of which a dry run has shown, or an operation has made, that nothing is to be changed. */
  inSync?: string;
  /** What helm has failed at last, how often, and until when (Clock.steady) it is left at that. */
  failure?: Failure;
  /** The same of recovering a release. */
  recoveryFailure?: Failure;
  /** The install has failed here, and nothing has succeeded since. */
  installFailed?: boolean;
  /** What an upgrade has failed at. */
  refused?: Refused;
}

export interface Failure {
  wanted: string;
  count: number;
  until: number;
}

export interface Refused {
  /** Values and chart. */
  wanted: string;
  message: string;
  /** How often the release was rolled back for it, by the operation that failed. */
  rollbacks: number;
  /** That the last rollback has made: from another one it is tried again. */
  revision: number;
}

/** The memories of a controller, one for each object. */
export interface Memories {
  of(key: string, uid: string): Memory;
  forget(key: string): void;
}

export function createMemories(): Memories {
  const memories = new Map<string, { uid: string; memory: Memory }>();
  return {
    of(key, uid) {
      const known = memories.get(key);
      // One of the same name that was made anew has nothing to do with the one before.
      if (known?.uid === uid) return known.memory;
      const memory: Memory = {};
      memories.set(key, { uid, memory });
      return memory;
    },
    forget: (key) => void memories.delete(key),
  };
}
