import { humanDuration } from "../../apimachinery/duration.ts";
import type { Named, PrintContext } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import type { PodTemplateSpec } from "../apps/workload-columns.ts";
import { formatContainers, formatSelector, type Labelled, NONE } from "../printing.ts";

interface Job extends Named {
  spec?: { completions?: number; parallelism?: number; selector?: Labelled; template?: PodTemplateSpec };
  status?: {
    succeeded?: number;
    startTime?: string;
    completionTime?: string;
    conditions?: { type: string; status: string }[];
  };
}

export const jobPrinter = definePrinter<Job>((job, context) => [
  nameOf(job),
  jobStatus(job),
  completions(job),
  duration(job, context),
  ageOf(job, context),
  ...formatContainers(job.spec?.template?.spec?.containers),
  formatSelector(job.spec?.selector) || NONE,
]);

function jobStatus({ metadata, status }: Job): string {
  const holds = (type: string): boolean => {
    return status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  };
  if (holds("Complete")) return "Complete";
  if (holds("Failed")) return "Failed";
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(holds) ?? "Running";
}

function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration({ status }: Job, { now }: PrintContext): string {
  if (status?.startTime === undefined) return "";
  const end = status.completionTime === undefined ? now : Date.parse(status.completionTime);
  return humanDuration(end - Date.parse(status.startTime));
}
