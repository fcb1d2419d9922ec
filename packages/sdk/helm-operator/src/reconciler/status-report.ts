import { type Clock, isNotFound, type KubeObject } from "@operator-path/client";
import { mergeFrom } from "@operator-path/controller-runtime";
import type { Release } from "../release/release.ts";
import {
  type DeployedRelease,
  type HelmConditionReason,
  type HelmConditionType,
  type HelmStatus,
  setDeployedRelease,
  setHelmConditions,
} from "../status/conditions.ts";
import { messageOf } from "./message-of.ts";
import type { Run } from "./run.ts";

/** What a reconcile finds out about its object, written once, at its end, and only if it is news. */
export interface StatusReport {
  initialized(): void;
  paused(paused: boolean): void;
  deployed(release: Release, shown: DeployedRelease): void;
  notDeployed(): void;
  uninstalled(): void;
  /** What is wanted cannot be had, for now. */
  irreconcilable(
    reason: "ErrorGettingValues" | "ErrorGettingReleaseState" | "ReconcileError",
    error: unknown,
  ): void;
  releaseFailed(reason: "InstallError" | "UpgradeError" | "UninstallError", error: unknown): void;
  /** What is wanted has failed before, and is not tried again. */
  refused(message: string): void;
  /** The release is what is wanted. */
  fine(): void;
  /** Of the object as it was read or written last. */
  write(run: Run): Promise<void>;
}

type WithStatus = KubeObject & { status?: HelmStatus };

export function createStatusReport(object: WithStatus, clock: Clock): StatusReport {
  const before: HelmStatus = object.status ?? {};
  let status = before;
  const about = { generation: object.metadata?.generation, clock };

  function set(type: HelmConditionType, is: boolean, reason: HelmConditionReason, message = ""): void {
    status = setHelmConditions(status, [{ type, status: is ? "True" : "False", reason, message }], about);
  }

  return {
    initialized: () => set("Initialized", true, "InitializationSuccessful"),
    paused(paused) {
      const isKnown = status.conditions?.some(({ type }) => type === "Paused");
      if (paused) set("Paused", true, "PauseReconcileHandlerTrue");
      else if (isKnown) set("Paused", false, "PauseReconcileHandlerFalse");
    },
    deployed(release, shown) {
      const [reason, done] = howOf(release);
      set("Deployed", true, reason, release.notes || `release was successfully ${done}`);
      status = setDeployedRelease(status, shown);
    },
    notDeployed() {
      set("Deployed", false, "InstallError", "there is no release");
      status = setDeployedRelease(status, undefined);
    },
    uninstalled() {
      set("Deployed", false, "UninstallSuccessful");
      set("ReleaseFailed", false, "UninstallSuccessful");
      status = setDeployedRelease(status, undefined);
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
      const current: WithStatus = run.object;
      // The very same when nothing was news.
      if (status === before) return;
      try {
        // Nobody else writes these conditions; a conflict would only repeat the whole reconcile.
        run.object = await run.client.status.patch({ ...current, status }, mergeFrom(current));
      } catch (error) {
        // It has gone, and its status with it.
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

function howOf({ revision, description }: Release): [HelmConditionReason, string] {
  // In helm's words; those of a person may take their place, and then it counts as an upgrade.
  if (description?.startsWith("Rollback to ")) return ["RollbackSuccessful", "rolled back"];
  return revision === 1 ? ["InstallSuccessful", "installed"] : ["UpgradeSuccessful", "upgraded"];
}
