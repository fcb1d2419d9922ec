import type { Clock, Condition } from "@operator-path/client";
import {
  type NewCondition,
  removeStatusCondition,
  setStatusCondition,
} from "@operator-path/controller-runtime";

/** What is said of a resource that a chart is installed for, in the words of helm-operator-plugins. */
export type HelmConditionType =
  /** The resource has been looked at, and has its finalizer. */
  | "Initialized"
  /** There is a release, as the resource wants it. */
  | "Deployed"
  /** The last installation, upgrade, rollback or uninstallation has failed. */
  | "ReleaseFailed"
  /** Something has to be changed before anything can be done: the values, the chart, what this operator may do. */
  | "Irreconcilable"
  /** Nothing is done, because somebody wants it so. */
  | "Paused";

export type HelmConditionReason =
  | "InitializationSuccessful"
  | "InstallSuccessful"
  | "UpgradeSuccessful"
  | "RollbackSuccessful"
  | "UninstallSuccessful"
  | "ErrorGettingValues"
  | "ErrorGettingReleaseState"
  | "ReconcileError"
  | "InstallError"
  | "UpgradeError"
  | "RollbackError"
  | "UninstallError"
  | "PauseReconcileHandlerTrue"
  | "PauseReconcileHandlerFalse"
  | "ReconcileSuccessful";

export interface HelmCondition {
  readonly type: HelmConditionType;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: HelmConditionReason;
  readonly message?: string;
}

/** What this library writes of a resource's status. */
export interface HelmStatus {
  readonly conditions?: readonly Condition[];
  readonly deployedRelease?: DeployedRelease;
}

export interface DeployedRelease {
  readonly name: string;
  readonly manifest: string;
}

/** A condition's message may be so long (metav1.Condition). */
const longestMessage = 32_768;

/**
 * The status with these conditions in the place of those of their types; every other condition, and every other field, stays.
 * `lastTransitionTime` is of the last change of `status`. The very same object when nothing changes, so that nothing need
 * be written.
 *
 * @param generation of the spec that the conditions are about: `metadata.generation` of what was reconciled
 */
export function setHelmConditions<S extends HelmStatus>(
  status: S | undefined,
  conditions: readonly HelmCondition[],
  { generation, clock }: { generation?: number | undefined; clock?: Pick<Clock, "now"> },
): S {
  const before = status?.conditions ?? [];
  let now: readonly Condition[] = before;
  for (const { message = "", ...condition } of conditions) {
    const stated: NewCondition = {
      ...condition,
      message: shortened(message),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
    now = setStatusCondition(now, stated, clock ? { clock } : {});
  }
  return withConditions(status, now);
}

/** The status without the conditions of these types; the very same object when there are none. */
export function removeHelmConditions<S extends HelmStatus>(
  status: S | undefined,
  types: readonly HelmConditionType[],
): S {
  let now: readonly Condition[] = status?.conditions ?? [];
  for (const type of types) now = removeStatusCondition(now, type);
  return withConditions(status, now);
}

/** The status with what is deployed, or, of undefined, without. The very same object when nothing changes. */
export function setDeployedRelease<S extends HelmStatus>(
  status: S | undefined,
  release: DeployedRelease | undefined,
): S {
  const { deployedRelease: before, ...others } = status ?? {};
  const isSame = before?.name === release?.name && before?.manifest === release?.manifest;
  if (status && isSame) return status;
  // Of a status the fields of S besides these two are the caller's, and stay as they are.
  return { ...others, ...(release ? { deployedRelease: release } : {}) } as S;
}

function withConditions<S extends HelmStatus>(status: S | undefined, conditions: readonly Condition[]): S {
  if (status && conditions === status.conditions) return status;
  if (status && conditions.length === 0 && status.conditions === undefined) return status;
  return { ...status, conditions } as S;
}

function shortened(message: string): string {
  if (message.length <= longestMessage) return message;
  const more = " … (cut)";
  return message.slice(0, longestMessage - more.length).replace(/[\uD800-\uDBFF]$/, "") + more;
}
