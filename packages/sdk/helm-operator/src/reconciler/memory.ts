import type { ManifestObject } from "../drift/parse-manifest.ts";
import type { ReleaseState } from "../release/release-state.ts";
import type { DeployedRelease } from "../status/conditions.ts";

/** A manifest with the objects that it was parsed into. */
export interface KnownManifest {
  readonly text: string;
  readonly objects: readonly ManifestObject[];
  /** The manifest as the status shows it. */
  readonly shown: DeployedRelease;
}

/**
 * What the operator remembers of one object's release between reconciles. It saves work and is not needed:
 * after a restart, each release costs one dry run, and a failed upgrade is tried once more.
 */
export interface Memory {
  /** The state as last read, the Secrets that it was read from, and another object that owns the release. */
  read?: { secrets: string; state: ReleaseState; otherOwner: string | undefined };
  /** The manifest of the last deployed release. */
  manifest?: KnownManifest;
  /** A fingerprint of values, chart and release, known to need no change from a dry run or an operation. */
  inSync?: string;
  /** The last failure of an operation, and when (Clock.steady) it may be tried again. */
  failure?: Failure;
  /** The same for recoveries. */
  recoveryFailure?: Failure;
  /** The install failed in this process, and nothing has succeeded since. */
  installFailed?: boolean;
  /** An upgrade that failed and is not tried again. */
  refused?: Refused;
}

export interface Failure {
  wanted: string;
  count: number;
  until: number;
}

export interface Refused {
  /** The fingerprint of values and chart. */
  wanted: string;
  message: string;
  /** Rollbacks after this upgrade failed. Rollbacks of a recovery do not count. */
  rollbacks: number;
  /** The revision that the last rollback made. From another revision the upgrade is tried again. */
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
      // A new object of the same name has nothing in common with the deleted one.
      if (known?.uid === uid) return known.memory;
      const memory: Memory = {};
      memories.set(key, { uid, memory });
      return memory;
    },
    forget: (key) => void memories.delete(key),
  };
}
