import type { Clock, KubeObject } from "@operator-path/client";
import type { Client, EventRecorder, Logger, Reader, Request } from "@operator-path/controller-runtime";
import type { Drift } from "../drift/create-drift.ts";
import type { ManifestObject } from "../drift/parse-manifest.ts";
import type { ReleaseState } from "../release/release-state.ts";
import type { ResourceMapper } from "../resources/resource-mapper.ts";
import type { DeployedRelease } from "../status/conditions.ts";
import type { AnnotatedOptions } from "./annotations.ts";
import type { Dependents } from "./dependents.ts";
import type { HelmSettings } from "./options.ts";
import type { StatusReport } from "./status-report.ts";

/** What all reconciles of a controller share. */
export interface HelmContext {
  readonly settings: HelmSettings;
  /** Reads from the cache. Knows the kinds that the mapper has found. */
  readonly client: Client;
  /** Reads from the server. */
  readonly apiReader: Reader;
  readonly mapper: ResourceMapper;
  readonly drift: Drift;
  /** Undefined: the objects of releases are not watched. */
  readonly dependents: Dependents | undefined;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

/** One reconcile of one object. Each step is a function of it. */
export interface Run extends HelmContext {
  /** The object as last read or written. */
  object: KubeObject;
  readonly key: Request;
  readonly annotated: AnnotatedOptions;
  readonly memory: Memory;
  readonly status: StatusReport;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

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
interface Memory {
  /** The state as last read, the Secrets that it was read from, and another object that owns the release. */
  read?: { secrets: string; state: ReleaseState; otherOwner: string | undefined };
  /** The manifest of the last deployed release. */
  manifest?: KnownManifest;
  /** Fingerprint of values, chart and release that need no change, as a dry run or an operation showed. */
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

interface Failure {
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
  /**
   * The revision that the last rollback created. If the release is at another revision, the upgrade may be
   * tried again.
   */
  revision: number;
}

/** The memories of a controller, one for each object. */
interface Memories {
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

/** Operations and recoveries are counted separately. */
type Slot = "failure" | "recoveryFailure";

/**
 * Records a failed helm operation and starts its back-off. Each operation writes or deletes release Secrets,
 * which trigger another reconcile. Without the back-off, an install that cannot succeed would repeat forever.
 */
export function noteFailure({ memory, settings, clock }: Run, wanted: string, slot: Slot = "failure"): void {
  const before = memory[slot]?.wanted === wanted ? memory[slot].count : 0;
  const { base, max } = settings.retryDelays;
  const wait = Math.min(base * 2 ** Math.min(before, 1_023), max);
  memory[slot] = { wanted, count: before + 1, until: clock.steady() + wait };
}

/** Returns the milliseconds until `wanted` may be tried again. Anything new may be tried at once. */
export function pauseBefore({ memory, clock }: Run, wanted: string, slot: Slot = "failure"): number {
  const last = memory[slot];
  if (last?.wanted !== wanted) return 0;
  return Math.max(0, last.until - clock.steady());
}
