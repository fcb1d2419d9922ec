import { isDeepStrictEqual } from "node:util";
import { humanDuration } from "../../apimachinery/duration.ts";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { nonNegative } from "../../apimachinery/validation/rules.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, text } from "../../lib/json/read.ts";
import { fieldWithZero } from "../../server/registry/selectable-fields.ts";
import type { Strategy } from "../../server/registry/strategy.ts";
import { ageOf, definePrinter, type Named, nameOf, type PrintContext } from "../../server/table/printer.ts";
import type { PodTemplateSpec } from "../apps/workload.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { defaultPodTemplate } from "../core/pod/defaults.ts";
import { validatePodTemplate } from "../core/pod/validation/pod-spec.ts";
import { templateWarnings } from "../core/pod/warnings.ts";
import { formatContainers, formatSelector, type Labelled, NONE } from "../printing.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";

const controllerUid = "batch.kubernetes.io/controller-uid";

/**
 * The strategy of Jobs (batch/v1 jobStrategy). A Job gets a selector with its own UID, so that two Jobs
 * cannot select the same Pods. With `manualSelector` the user takes care of that.
 */
const jobStrategy: Strategy = {
  generation: true,
  prepareForCreate(draft) {
    const spec = isJsonObject(draft.spec) ? draft.spec : {};
    if (spec.manualSelector === true) return;
    const { uid = "", name = "" } = draft.metadata;
    const labels = {
      "controller-uid": uid,
      "job-name": name,
      [controllerUid]: uid,
      "batch.kubernetes.io/job-name": name,
    };
    const template = isJsonObject(spec.template) ? spec.template : {};
    const metadata = isJsonObject(template.metadata) ? template.metadata : {};
    const own = isJsonObject(metadata.labels) ? metadata.labels : {};
    const selector = isJsonObject(spec.selector) ? spec.selector : {};
    const matchLabels = isJsonObject(selector.matchLabels) ? selector.matchLabels : {};
    const wanted = { ...own, ...missing(labels, own) };
    draft.spec = {
      ...spec,
      selector: {
        ...selector,
        matchLabels: { ...matchLabels, ...missing({ [controllerUid]: uid }, matchLabels) },
      },
      template: { ...template, metadata: { ...metadata, labels: wanted } },
    };
    copyTemplateLabels(draft, own, wanted);
  },
};

/** Returns the labels that are missing. A label that is already present stays, and validation reports it. */
function missing(labels: Record<string, string>, present: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => present[key] === undefined));
}

/** Gives a Job without labels those of its template, including the ones that the server sets. */
function copyTemplateLabels(draft: ApiObject, before: JsonObject, after: JsonObject): void {
  const { labels = {} } = draft.metadata;
  const shares = Object.keys(labels).length === 0 || (labels as unknown) === before;
  if (shares) draft.metadata.labels = after as Record<string, string>;
}

/** Sets the defaults of a batch/v1 Job (SetDefaults_Job). */
function defaultJob(job: JsonObject): void {
  const spec = ensureObject(job, "spec");
  defaultJobSpec(spec);
  const template = isJsonObject(spec.template) ? spec.template : {};
  const labels = isJsonObject(template.metadata) ? template.metadata.labels : undefined;
  const metadata = ensureObject(job, "metadata");
  if (
    isJsonObject(labels) &&
    Object.keys(isJsonObject(metadata.labels) ? metadata.labels : {}).length === 0
  ) {
    // Both share the object: labels that the strategy adds appear in the Job and in its template.
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

/** Validates a batch/v1 Job before it has its selector and labels. */
function validateJob(job: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(job.spec);
  return [
    ...validateJobSpec(spec, "spec"),
    ...(old === undefined ? [] : validateChange(spec, object(old.spec))),
  ];
}

/** Validates an update (ValidateJobSpecUpdate). Only the number of Pods that run at a time may change. */
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

interface Job extends Named {
  spec?: { completions?: number; parallelism?: number; selector?: Labelled; template?: PodTemplateSpec };
  status?: {
    succeeded?: number;
    startTime?: string;
    completionTime?: string;
    conditions?: { type: string; status: string }[];
  };
}

const jobPrinter = definePrinter<Job>((job, context) => [
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

/** batch/v1 Job. */
export const jobKind: BuiltInKind = {
  strategy: jobStrategy,
  setDefaults: defaultJob,
  validate: validateJob,
  warnings: templateWarnings(["spec", "template"], { namesPods: true }),
  printer: jobPrinter,
  fieldLabels: new Map([fieldWithZero("status.successful", "0")]),
};
