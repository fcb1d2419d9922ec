import {
  ApiStatusError,
  forbidden,
  type StatusCause,
  tooManyRequests,
} from "../../../apimachinery/errors.ts";
import { matchesLabelSelector } from "../../../apimachinery/selectors/label-selector.ts";
import { type Clock, timestamp } from "../../../lib/clock.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import type { Store } from "../../../server/storage/store.ts";
import type { StoredObject } from "../../../server/storage/stored-object.ts";

const collection = "poddisruptionbudgets.policy";
/** The most evictions that may wait for the disruption controller to confirm them. */
const maxDisruptedPods = 2000;

interface BudgetStatus {
  observedGeneration?: number;
  disruptionsAllowed?: number;
  desiredHealthy?: number;
  currentHealthy?: number;
  disruptedPods?: JsonObject;
  conditions?: JsonObject[];
}

interface DisruptionContext {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * Counts an eviction against the Pod's PodDisruptionBudget, if there is one (EvictionREST of
 * k8s.io/kubernetes). Pods that are pending, finished or already terminating do not count. A Pod that is not
 * ready does not count if enough others are healthy, or if the budget's policy says so.
 *
 * @throws ApiStatusError 429 when the budget allows no disruption, 403, or 500 when two budgets select the
 *   Pod
 */
export function takeDisruption(context: DisruptionContext, pod: ApiObject, dryRun: boolean): void {
  const { phase } = pod.status as JsonObject;
  if (phase === "Succeeded" || phase === "Failed" || phase === "Pending") return;
  if (pod.metadata.deletionTimestamp !== undefined) return;
  const prefix = `${pod.metadata.namespace}/`;
  const [stored, another] = context.store
    .range(collection, { prefix })
    .filter(({ object }) => matchesLabelSelector(specOf(object).selector, pod.metadata.labels));
  if (stored === undefined) return;
  if (another !== undefined) throw ambiguous();
  const status = statusOf(stored);
  if (!isReady(pod)) {
    if (specOf(stored.object).unhealthyPodEvictionPolicy === "AlwaysAllow") return;
    const { currentHealthy = 0, desiredHealthy = 0 } = status;
    if (currentHealthy >= desiredHealthy && desiredHealthy > 0) return;
  }
  checkAllowed(stored, status);
  if (!dryRun) decrement(context, stored, status, pod.metadata.name ?? "");
}

function checkAllowed(stored: StoredObject, status: BudgetStatus): void {
  const { name = "", generation = 0 } = stored.object.metadata;
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status;
  const budget = `The disruption budget ${name}`;
  if (observedGeneration < generation) {
    throw violation(10, `${budget} is still being processed by the server.`);
  }
  if (disruptionsAllowed < 0) {
    throw forbidden("policy", "poddisruptionbudget", name, "pdb disruptions allowed is negative");
  }
  if (Object.keys(disruptedPods).length > maxDisruptedPods) {
    const why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw forbidden("policy", "poddisruptionbudget", name, why);
  }
  if (disruptionsAllowed === 0) throw violation(0, `${budget} ${reasonForNone(status)}`);
}

function reasonForNone({ conditions = [], currentHealthy = 0, desiredHealthy = 0 }: BudgetStatus): string {
  const condition = conditions.find(({ type }) => type === "DisruptionAllowed");
  const says = condition?.status === "False" && condition.message ? condition : undefined;
  if (says?.reason === "SyncFailed") {
    return `does not allow evicting pods currently because it failed sync: ${says.message}`;
  }
  if (currentHealthy <= desiredHealthy) {
    return `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  const more = says === undefined ? "" : ` (${says.reason}): ${says.message}`;
  return `does not allow evicting pods currently${more}`;
}

function decrement(
  context: DisruptionContext,
  stored: StoredObject,
  status: BudgetStatus,
  pod: string,
): void {
  const now = timestamp(context.clock.now());
  const disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  const conditions = (status.conditions ?? []).map((condition) =>
    condition.type === "DisruptionAllowed" && disruptionsAllowed === 0 && condition.status !== "False"
      ? { ...condition, status: "False", reason: "InsufficientPods", lastTransitionTime: now }
      : condition,
  );
  context.store.replace(collection, stored, {
    ...stored.object,
    status: {
      ...(stored.object.status as JsonObject),
      disruptionsAllowed,
      disruptedPods: { ...status.disruptedPods, [pod]: now },
      ...(conditions.length === 0 ? {} : { conditions }),
    },
  });
}

function violation(retryAfterSeconds: number, message: string): ApiStatusError {
  const causes: StatusCause[] = [{ reason: "DisruptionBudget", message }];
  return tooManyRequests(
    "Cannot evict pod as it would violate the pod's disruption budget.",
    retryAfterSeconds,
    causes,
  );
}

/** Returns the only 500 that a real server sends on purpose. */
function ambiguous(): ApiStatusError {
  return new ApiStatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message:
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    code: 500,
  });
}

function specOf({ spec }: ApiObject): { selector?: JsonObject; unhealthyPodEvictionPolicy?: string } {
  return isJsonObject(spec) ? spec : {};
}

function statusOf({ object }: StoredObject): BudgetStatus {
  return isJsonObject(object.status) ? object.status : {};
}

function isReady({ status }: ApiObject): boolean {
  const conditions = isJsonObject(status) && Array.isArray(status.conditions) ? status.conditions : [];
  return conditions.some(
    (condition) => isJsonObject(condition) && condition.type === "Ready" && condition.status === "True",
  );
}
