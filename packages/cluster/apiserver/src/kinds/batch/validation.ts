import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { nonNegative } from "../../apimachinery/validation/rules.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { object, text } from "../../lib/json/read.ts";
import { validatePodTemplate } from "../core/pod/validation/pod-spec.ts";
import { scheduleProblem } from "./cron-schedule.ts";

/** batch/v1 Job: what can be said before it has its selector and labels. */
export function validateJob(job: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(job.spec);
  return [
    ...validateJobSpec(spec, "spec"),
    ...(old === undefined ? [] : validateChange(spec, object(old.spec))),
  ];
}

/** What a Job does is settled when it is made; how many Pods do it at a time is not (ValidateJobSpecUpdate). */
function validateChange(spec: JsonObject, before: JsonObject): StatusCause[] {
  const causes = ["selector", "template", "completionMode"].flatMap((key) =>
    isDeepStrictEqual(spec[key], before[key])
      ? []
      : [invalid(`spec.${key}`, spec[key] ?? null, "field is immutable")],
  );
  const { completions = null, parallelism = null } = spec;
  if (completions === (before.completions ?? null)) return causes;
  if (before.completionMode !== "Indexed") {
    return [...causes, invalid("spec.completions", completions, "field is immutable")];
  }
  if (completions === parallelism) return causes;
  const detail = "can only be modified in tandem with spec.parallelism";
  return [...causes, invalid("spec.completions", completions, detail)];
}

export function validateJobSpec(spec: JsonObject, path: string): StatusCause[] {
  const { restartPolicy } = object(object(spec.template).spec);
  const causes = nonNegative(
    spec,
    path,
    "parallelism",
    "completions",
    "backoffLimit",
    "activeDeadlineSeconds",
    "ttlSecondsAfterFinished",
  );
  for (const [key, known] of [
    ["completionMode", ["Indexed", "NonIndexed"]],
    ["podReplacementPolicy", ["Failed", "TerminatingOrFailed"]],
  ] as const) {
    const value = spec[key];
    if (value !== undefined && !(known as readonly string[]).includes(text(value))) {
      causes.push(notSupported(`${path}.${key}`, value, known));
    }
  }
  causes.push(...validatePodTemplate(object(spec.template), `${path}.template`));
  if (restartPolicy === "Always" || restartPolicy === undefined) {
    const detail = 'valid values: "OnFailure", "Never"';
    causes.push(required(`${path}.template.spec.restartPolicy`, detail));
  }
  return causes;
}

/** batch/v1 CronJob. */
export function validateCronJob(cronJob: ApiObject): StatusCause[] {
  const spec = object(cronJob.spec);
  const schedule = text(spec.schedule);
  const causes: StatusCause[] = [];
  if (schedule === "") causes.push(required("spec.schedule"));
  else {
    const problem = scheduleProblem(schedule);
    if (/(^|\s)(CRON_)?TZ=/.test(schedule)) {
      const detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
      causes.push(invalid("spec.schedule", schedule, detail));
    } else if (problem !== undefined) causes.push(invalid("spec.schedule", schedule, problem));
  }
  const { timeZone } = spec;
  if (timeZone !== undefined && !isTimeZone(text(timeZone))) {
    causes.push(invalid("spec.timeZone", timeZone, `unknown time zone ${text(timeZone)}`));
  }
  const name = cronJob.metadata.name ?? "";
  // Its Jobs' names are eleven characters longer, and their Pods' names are label values.
  if (name.length > 52) causes.push(invalid("metadata.name", name, "must be no more than 52 characters"));
  if (!["Allow", "Forbid", "Replace"].includes(text(spec.concurrencyPolicy))) {
    const policies = ["Allow", "Forbid", "Replace"];
    causes.push(notSupported("spec.concurrencyPolicy", spec.concurrencyPolicy, policies));
  }
  causes.push(
    ...nonNegative(
      spec,
      "spec",
      "startingDeadlineSeconds",
      "successfulJobsHistoryLimit",
      "failedJobsHistoryLimit",
    ),
    ...validateJobSpec(object(object(spec.jobTemplate).spec), "spec.jobTemplate.spec"),
  );
  return causes;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
