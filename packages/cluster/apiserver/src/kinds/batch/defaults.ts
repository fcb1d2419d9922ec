import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { defaultPodTemplate } from "../core/pod/pod-spec-defaults.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";

/** batch/v1 Job (SetDefaults_Job). */
export function defaultJob(job: JsonObject): void {
  const spec = ensureObject(job, "spec");
  defaultJobSpec(spec);
  const template = isJsonObject(spec.template) ? spec.template : {};
  const labels = isJsonObject(template.metadata) ? template.metadata.labels : undefined;
  const metadata = ensureObject(job, "metadata");
  if (
    isJsonObject(labels) &&
    Object.keys(isJsonObject(metadata.labels) ? metadata.labels : {}).length === 0
  ) {
    // The same object: what the strategy adds to the one, the other has too.
    metadata.labels = labels;
  }
}

function defaultJobSpec(spec: JsonObject): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  setDefault(spec, "parallelism", 1);
  setDefault(spec, "backoffLimit", spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1);
  setDefault(spec, "completionMode", "NonIndexed");
  setDefault(spec, "suspend", false);
  setDefault(
    spec,
    "podReplacementPolicy",
    isJsonObject(spec.podFailurePolicy) ? "Failed" : "TerminatingOrFailed",
  );
  setDefault(spec, "manualSelector", false);
  if (isJsonObject(spec.podFailurePolicy)) {
    for (const rule of objectsOf(spec.podFailurePolicy.rules)) {
      for (const pattern of objectsOf(rule.onPodConditions)) setDefault(pattern, "status", "True");
    }
  }
  defaultPodTemplate(spec.template);
}

/** batch/v1 CronJob (SetDefaults_CronJob). The Job in it gets its defaults when it is made. */
export function defaultCronJob(cronJob: JsonObject): void {
  const spec = ensureObject(cronJob, "spec");
  setDefault(spec, "concurrencyPolicy", "Allow");
  setDefault(spec, "suspend", false);
  setDefault(spec, "successfulJobsHistoryLimit", 3);
  setDefault(spec, "failedJobsHistoryLimit", 1);
  if (isJsonObject(spec.jobTemplate) && isJsonObject(spec.jobTemplate.spec)) {
    defaultPodTemplate(spec.jobTemplate.spec.template);
  }
}
