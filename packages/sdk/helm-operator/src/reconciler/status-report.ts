import { type Clock, isNotFound, type KubeObject } from "@operator-path/client";
import {
  type Client,
  mergeFrom,
  type Reader,
  type Request,
  retryOnConflict,
} from "@operator-path/controller-runtime";
import type { Release } from "../release/release.ts";
import {
  type DeployedRelease,
  type HelmCondition,
  type HelmConditionReason,
  type HelmConditionType,
  type HelmStatus,
  setDeployedRelease,
  setHelmConditions,
} from "../status/conditions.ts";
import type { HelmSettings } from "./options.ts";

/** Collects what a reconcile finds out about its object, to write it at the end if anything has changed. */
export interface StatusReport {
  initialized(): void;
  paused(paused: boolean): void;
  deployed(release: Release, manifest: DeployedRelease): void;
  notDeployed(): void;
  uninstalled(): void;
  /** The desired state cannot be reached for now. */
  irreconcilable(
    reason: "ErrorGettingValues" | "ErrorGettingReleaseState" | "ReconcileError",
    error: unknown,
  ): void;
  releaseFailed(reason: "InstallError" | "UpgradeError" | "UninstallError", error: unknown): void;
  /** The desired upgrade failed before and is not tried again. */
  refused(message: string): void;
  /** The release is up to date. */
  fine(): void;
  /** Writes into the current status, so that other fields stay. Skips a new object of the same name. */
  write(run: Writing): Promise<void>;
}

/** The part of a reconcile that writing the status needs. */
export interface Writing {
  object: KubeObject;
  readonly key: Request;
  readonly client: Client;
  readonly apiReader: Reader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly settings: Pick<HelmSettings, "resource">;
}

type WithStatus = KubeObject & { status?: HelmStatus };

/** Returns an empty report about an object, as it was read. */
export function createStatusReport(object: WithStatus, clock: Clock): StatusReport {
  /**
   * Only the last report of each condition type is written. Earlier values in the same reconcile do not count
   * as transitions.
   */
  const conditions = new Map<HelmConditionType, HelmCondition>();
  let shown: { readonly release: DeployedRelease | undefined } | undefined;
  const options = { generation: object.metadata?.generation, clock };

  function set(type: HelmConditionType, is: boolean, reason: HelmConditionReason, message = ""): void {
    conditions.set(type, { type, status: is ? "True" : "False", reason, message });
  }

  /** Returns the same object when nothing changes. */
  function changed(before: HelmStatus): HelmStatus {
    const status = setHelmConditions(before, [...conditions.values()], options);
    return shown ? setDeployedRelease(status, shown.release) : status;
  }

  return {
    initialized: () => set("Initialized", true, "InitializationSuccessful"),
    paused(paused) {
      const isKnown = object.status?.conditions?.some(({ type }) => type === "Paused");
      if (paused) set("Paused", true, "PauseReconcileHandlerTrue");
      else if (isKnown) set("Paused", false, "PauseReconcileHandlerFalse");
    },
    deployed(release, manifest) {
      const [reason, done] = howOf(release);
      set("Deployed", true, reason, release.notes || `release was successfully ${done}`);
      shown = { release: manifest };
    },
    notDeployed() {
      set("Deployed", false, "InstallError", "there is no release");
      shown = { release: undefined };
    },
    uninstalled() {
      set("Deployed", false, "UninstallSuccessful");
      set("ReleaseFailed", false, "UninstallSuccessful");
      shown = { release: undefined };
    },
    irreconcilable: (reason, error) => set("Irreconcilable", true, reason, messageOf(error)),
    releaseFailed: (reason, error) => set("ReleaseFailed", true, reason, messageOf(error)),
    refused(message) {
      const text = `${message}; rolled back, and not tried again until values, chart or release change`;
      set("Irreconcilable", true, "ReconcileError", text);
      set("ReleaseFailed", true, "UpgradeError", text);
    },
    fine() {
      set("Irreconcilable", false, "ReconcileSuccessful");
      set("ReleaseFailed", false, "ReconcileSuccessful");
    },
    async write(run) {
      const { settings, key, client, apiReader, clock, signal } = run;
      const known: HelmStatus = (run.object as WithStatus).status ?? {};
      if (changed(known) === known) return;
      const write = async () => {
        // helm may have run for minutes since the last read, and a merge patch replaces all conditions.
        const current: WithStatus = await apiReader.get(settings.resource, key, { signal });
        if (current.metadata?.uid !== object.metadata?.uid) return;
        const before = current.status ?? {};
        const status = changed(before);
        const patch = mergeFrom(current, { optimisticLock: true });
        run.object = status === before ? current : await client.status.patch({ ...current, status }, patch);
      };
      try {
        await retryOnConflict(write, { clock, signal });
      } catch (error) {
        // The object was deleted, and its status with it.
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

function howOf({ revision, description }: Release): [HelmConditionReason, string] {
  // helm's own words. A person's description may replace them; then the release counts as upgraded.
  if (description?.startsWith("Rollback to ")) return ["RollbackSuccessful", "rolled back"];
  return revision === 1 ? ["InstallSuccessful", "installed"] : ["UpgradeSuccessful", "upgraded"];
}

/** Returns the message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
