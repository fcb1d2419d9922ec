import type { Job } from "@operator-path/client";
import { parseIndexes } from "./indexes.ts";

/** Why an Indexed Job has succeeded before all indexes have; undefined when it has not. (KEP-3998.) */
export function matchSuccessPolicy(job: Job, succeeded: number[]): string | undefined {
  const completions = job.spec?.completions ?? 0;
  for (const [index, rule] of (job.spec?.successPolicy?.rules ?? []).entries()) {
    const wanted =
      rule.succeededIndexes === undefined ? undefined : parseIndexes(rule.succeededIndexes, completions);
    const met = wanted === undefined ? succeeded : succeeded.filter((one) => wanted.includes(one));
    const needed = rule.succeededCount ?? wanted?.length ?? completions;
    if (met.length >= needed) return `Matched rules at index ${index}`;
  }
  return undefined;
}
