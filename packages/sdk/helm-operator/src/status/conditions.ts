import type { Clock, Condition } from "@operator-path/client";
import {
  type NewCondition,
  removeStatusCondition,
  setStatusCondition,
} from "@operator-path/controller-runtime";

/** A condition type of an object with a Helm release, as in helm-operator-plugins. */
export type HelmConditionType =
  /** The object was seen, and has its finalizer. */
  | "Initialized"
  /** A release is deployed for the object. */
  | "Deployed"
  /** The last install, upgrade, rollback or uninstall failed. */
  | "ReleaseFailed"
  /** Something must change first: the values, the chart, or the operator's permissions. */
  | "Irreconcilable"
  /** The operator leaves the object alone, because it is paused. */
  | "Paused";

/** The reason of a condition, as in helm-operator-plugins. */
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

/** The fields of an object's status that this library writes. */
export interface HelmStatus {
  readonly conditions?: readonly Condition[];
  readonly deployedRelease?: DeployedRelease;
}

/** The deployed release, as an object's status shows it: its manifest lacks the values of Secrets. */
export interface DeployedRelease {
  readonly name: string;
  readonly manifest: string;
}

/** The longest message of a condition (metav1.Condition). */
const longestMessage = 32_768;

/**
 * Returns the status with these conditions in place of those of the same types. Other conditions and fields
 * stay. `lastTransitionTime` is the time of the last change of `status`. Returns the same object when nothing
 * changes, so that the caller need not write it.
 *
 * @param options.generation `metadata.generation` of the object that was reconciled
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

/** Returns the status without the conditions of these types; the same object when it has none of them. */
export function removeHelmConditions<S extends HelmStatus>(
  status: S | undefined,
  types: readonly HelmConditionType[],
): S {
  let now: readonly Condition[] = status?.conditions ?? [];
  for (const type of types) now = removeStatusCondition(now, type);
  return withConditions(status, now);
}

/** Returns the status with this deployed release, or without any; the same object when nothing changes. */
export function setDeployedRelease<S extends HelmStatus>(
  status: S | undefined,
  release: DeployedRelease | undefined,
): S {
  const { deployedRelease: before, ...others } = status ?? {};
  const isSame = before?.name === release?.name && before?.manifest === release?.manifest;
  if (status && isSame) return status;
  // The other fields of S belong to the caller and stay as they are.
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
