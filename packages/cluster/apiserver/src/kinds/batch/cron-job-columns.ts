import { age } from "../../apimachinery/duration.ts";
import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import type { PodTemplateSpec } from "../apps/workload-columns.ts";
import { formatContainers, formatSelector, type Labelled, NONE, UNSET } from "../printing.ts";

interface CronJob extends Named {
  spec?: {
    schedule?: string;
    timeZone?: string;
    suspend?: boolean;
    jobTemplate?: { spec?: { selector?: Labelled; template?: PodTemplateSpec } };
  };
  status?: { active?: object[]; lastScheduleTime?: string };
}

export const cronJobPrinter = definePrinter<CronJob>((cronJob, context) => {
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
