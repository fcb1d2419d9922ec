import { age } from "../../apimachinery/duration.ts";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { nonNegative } from "../../apimachinery/validation/rules.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, text } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { PodTemplateSpec } from "../apps/workload.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { defaultPodTemplate } from "../core/pod/defaults.ts";
import { templateWarnings } from "../core/pod/warnings.ts";
import { formatContainers, formatSelector, type Labelled, NONE, UNSET } from "../printing.ts";
import { ensureObject, setDefault } from "../set-default.ts";
import { scheduleProblem } from "./cron-schedule.ts";
import { validateJobSpec } from "./job.ts";

/**
 * Sets the defaults of a batch/v1 CronJob (SetDefaults_CronJob). Its Job template gets defaults when a Job is
 * created.
 */
function defaultCronJob(cronJob: JsonObject): void {
  const spec = ensureObject(cronJob, "spec");
  setDefault(spec, "concurrencyPolicy", "Allow");
  setDefault(spec, "suspend", false);
  setDefault(spec, "successfulJobsHistoryLimit", 3);
  setDefault(spec, "failedJobsHistoryLimit", 1);
  if (isJsonObject(spec.jobTemplate) && isJsonObject(spec.jobTemplate.spec)) {
    defaultPodTemplate(spec.jobTemplate.spec.template);
  }
}

/** Validates a batch/v1 CronJob. */
function validateCronJob(cronJob: ApiObject): StatusCause[] {
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
  // Names of its Jobs are eleven characters longer, and their Pods have them as a label value.
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
    ...validateJobTemplate(object(object(spec.jobTemplate).spec), "spec.jobTemplate.spec"),
  );
  return causes;
}

function validateJobTemplate(spec: JsonObject, path: string): StatusCause[] {
  const causes = validateJobSpec(spec, path);
  const { selector, manualSelector } = spec;
  if (selector !== undefined) {
    causes.push(invalid(`${path}.selector`, selector, "`selector` will be auto-generated"));
  }
  if (manualSelector === true) {
    causes.push(notSupported(`${path}.manualSelector`, manualSelector, ["nil", "false"]));
  }
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

interface CronJob extends Named {
  spec?: {
    schedule?: string;
    timeZone?: string;
    suspend?: boolean;
    jobTemplate?: { spec?: { selector?: Labelled; template?: PodTemplateSpec } };
  };
  status?: { active?: object[]; lastScheduleTime?: string };
}

const cronJobPrinter = definePrinter<CronJob>((cronJob, context) => {
  const { spec, status } = cronJob;
  const job = spec?.jobTemplate?.spec;
  return [
    nameOf(cronJob),
    spec?.schedule ?? "",
    spec?.timeZone ?? NONE,
    spec?.suspend === undefined ? UNSET : spec.suspend ? "True" : "False",
    status?.active?.length ?? 0,
    status?.lastScheduleTime === undefined ? NONE : age(status.lastScheduleTime, context.now),
    ageOf(cronJob, context),
    ...formatContainers(job?.template?.spec?.containers),
    formatSelector(job?.selector) || NONE,
  ];
});

/** batch/v1 CronJob. */
export const cronJobKind: BuiltInKind = {
  strategy: { generation: true },
  setDefaults: defaultCronJob,
  validate: validateCronJob,
  warnings: templateWarnings(["spec", "jobTemplate", "spec", "template"], { namesPods: true }),
  printer: cronJobPrinter,
};
