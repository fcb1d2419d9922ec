import type { Job, Pod } from "@operator-path/client";
import { keyOf } from "@operator-path/informers";

type Rule = NonNullable<NonNullable<NonNullable<Job["spec"]>["podFailurePolicy"]>["rules"]>[number];

export interface FailureVerdict {
  /** Whether the failure counts towards backoffLimit. */
  counts: boolean;
  /** Why the whole Job fails because of it, if it does. */
  jobFailure?: string;
}

/** What spec.podFailurePolicy says about a Pod that failed; the first rule that matches decides. (KEP-3329.) */
export function judgeFailure(job: Job, pod: Pod): FailureVerdict {
  const rules = job.spec?.podFailurePolicy?.rules ?? [];
  for (const [index, rule] of rules.entries()) {
    const match = matchRule(rule, pod);
    if (match === undefined) continue;
    if (rule.action === "Ignore") return { counts: false };
    if (rule.action === "FailJob") {
      return { counts: true, jobFailure: `${match} matching ${rule.action} rule at index ${index}` };
    }
    return { counts: true };
  }
  return { counts: true };
}

/** What of the Pod matches, in words; undefined when nothing does. */
function matchRule(rule: Rule, pod: Pod): string | undefined {
  const name = keyOf(pod);
  if (rule.onExitCodes) {
    const { containerName, operator, values } = rule.onExitCodes;
    const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
    const failed = statuses.find((status) => {
      const code = status.state?.terminated?.exitCode ?? 0;
      if (code === 0 || (containerName !== undefined && containerName !== status.name)) return false;
      return operator === "In" ? values.includes(code) : !values.includes(code);
    });
    if (failed === undefined) return undefined;
    return `Container ${failed.name} for pod ${name} failed with exit code ${failed.state?.terminated?.exitCode}`;
  }
  const conditions = pod.status?.conditions ?? [];
  const pattern = (rule.onPodConditions ?? []).find(({ type, status = "True" }) =>
    conditions.some((condition) => condition.type === type && condition.status === status),
  );
  return pattern && `Pod ${name} has condition ${pattern.type}`;
}
