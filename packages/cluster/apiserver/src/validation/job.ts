import type { StatusCause } from "../errors.ts";
import type { ApiObject, JsonObject } from "../json.ts";
import { invalid, notSupported, required } from "./cause.ts";
import { validatePodTemplate } from "./pod-spec.ts";
import { object, text } from "./read.ts";
import { nonNegative } from "./rules.ts";

/** batch/v1 Job: what can be said before it has its selector and labels. */
export function validateJob(job: ApiObject): StatusCause[] {
  return validateJobSpec(object(job.spec), "spec");
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
    const fields = schedule.trim().split(/\s+/);
    if (!schedule.startsWith("@") && fields.length !== 5) {
      const detail = `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
      causes.push(invalid("spec.schedule", schedule, detail));
    }
  }
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
