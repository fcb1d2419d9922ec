import { isDeepStrictEqual } from "node:util";
import { humanDuration } from "../../apimachinery/duration.ts";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, invalidLabels, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { selects, validateLabelSelector } from "../../apimachinery/validation/label-selector.ts";
import { nonNegative } from "../../apimachinery/validation/rules.ts";
import { isDns1123Label } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject, type ObjectMeta } from "../../lib/json/json.ts";
import { labels, object, objects, text } from "../../lib/json/read.ts";
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
import { validatePodFailurePolicy } from "./pod-failure-policy.ts";

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
    const { uid = "" } = draft.metadata;
    const template = isJsonObject(spec.template) ? spec.template : {};
    const metadata = isJsonObject(template.metadata) ? template.metadata : {};
    const own = isJsonObject(metadata.labels) ? metadata.labels : {};
    const selector = isJsonObject(spec.selector) ? spec.selector : {};
    const matchLabels = isJsonObject(selector.matchLabels) ? selector.matchLabels : {};
    const wanted = { ...own, ...missing(generatedLabels(draft.metadata), own) };
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

/** Validates a batch/v1 Job with its selector and labels. */
function validateJob(job: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(job.spec);
  return [
    ...validateGeneratedSelector(job),
    ...validateJobSpec(spec, "spec"),
    ...validateSelector(spec),
    ...validateHostname(job),
    ...(old === undefined ? [] : validateChange(spec, object(old.spec))),
  ];
}

/** The labels that the server adds to the Pods of a Job without `manualSelector`. */
function generatedLabels({ uid = "", name = "" }: ObjectMeta): Record<string, string> {
  return {
    "controller-uid": uid,
    "job-name": name,
    [controllerUid]: uid,
    "batch.kubernetes.io/job-name": name,
  };
}

/** Validates that a client has not set the generated labels to other values, or selected more than them. */
function validateGeneratedSelector(job: ApiObject): StatusCause[] {
  const { manualSelector, selector, template } = object(job.spec);
  if (manualSelector === true || !isJsonObject(selector)) return [];
  const expected = generatedLabels(job.metadata);
  const given = labels(object(object(template).metadata).labels);
  const causes = Object.entries(expected).flatMap(([key, value]) => {
    if (given[key] === value) return [];
    const path = `spec.template.metadata.labels[${key}]`;
    const detail = `must be '${value}'`;
    return [given[key] === undefined ? required(path, detail) : invalidLabels(path, given, detail)];
  });
  if (validateLabelSelector(selector, "").length > 0 || selects(selector, expected)) return causes;
  return [...causes, invalid("spec.selector", selector, "`selector` not auto-generated")];
}

function validateSelector({ selector, template }: JsonObject): StatusCause[] {
  const path = "spec.template.metadata.labels";
  const given = object(object(template).metadata).labels;
  const detail = "`selector` does not match template `labels`";
  if (!isJsonObject(selector)) return [required("spec.selector"), invalidLabels(path, given, detail)];
  const causes = validateLabelSelector(selector, "spec.selector");
  if (causes.length > 0 || selects(selector, labels(given))) return causes;
  return [invalidLabels(path, given, detail)];
}

/** Validates that the Pods of an Indexed Job get valid host names, which end with their index. */
function validateHostname({ metadata: { name = "" }, spec }: ApiObject): StatusCause[] {
  const { completionMode, completions } = object(spec);
  if (completionMode !== "Indexed" || typeof completions !== "number" || completions <= 0) return [];
  const longest = `${name}-${completions - 1}`;
  const detail = `will not able to create pod with invalid DNS label: ${longest}`;
  return isDns1123Label(longest)
    .map(() => invalid("metadata.name", name, detail))
    .slice(0, 1);
}

const immutable = [
  "selector",
  "template",
  "completionMode",
  "podFailurePolicy",
  "backoffLimitPerIndex",
  "managedBy",
  "successPolicy",
];

/** Validates an update (ValidateJobSpecUpdate). Only the number of Pods that run at a time may change. */
function validateChange(spec: JsonObject, before: JsonObject): StatusCause[] {
  const causes = immutable.flatMap((key) =>
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
    "backoffLimitPerIndex",
    "maxFailedIndexes",
  );
  const hasFailurePolicy = isJsonObject(spec.podFailurePolicy);
  for (const [key, known] of [
    ["completionMode", ["NonIndexed", "Indexed"]],
    ["podReplacementPolicy", hasFailurePolicy ? ["Failed"] : ["Failed", "TerminatingOrFailed"]],
  ] as const) {
    const value = spec[key];
    if (value !== undefined && !(known as readonly string[]).includes(text(value))) {
      causes.push(notSupported(`${path}.${key}`, value, known));
    }
  }
  causes.push(...validateIndexes(spec, path));
  if (hasFailurePolicy) causes.push(...validatePodFailurePolicy(spec, `${path}.podFailurePolicy`));
  causes.push(...validatePodTemplate(object(spec.template), `${path}.template`));
  const restartPath = `${path}.template.spec.restartPolicy`;
  if (restartPolicy === "Always" || restartPolicy === undefined) {
    causes.push(required(restartPath, 'valid values: "OnFailure", "Never"'));
  } else if (restartPolicy !== "OnFailure" && restartPolicy !== "Never") {
    causes.push(notSupported(restartPath, restartPolicy, ["OnFailure", "Never"]));
  } else if (hasFailurePolicy && restartPolicy !== "Never") {
    const detail = 'only "Never" is supported when podFailurePolicy is specified';
    causes.push(invalid(restartPath, restartPolicy, detail));
  }
  return causes;
}

/** Returns a SuccessPolicy as a real server's message shows it: in its internal form. */
function internalPolicy(policy: JsonObject): JsonObject {
  const rules = objects(policy.rules).map(({ succeededIndexes = null, succeededCount = null }) => ({
    SucceededIndexes: succeededIndexes,
    SucceededCount: succeededCount,
  }));
  return { Rules: rules };
}

/** Validates the fields that only Indexed Jobs have, and the one that they need. */
function validateIndexes(spec: JsonObject, path: string): StatusCause[] {
  const { completionMode, completions, backoffLimitPerIndex, maxFailedIndexes, successPolicy } = spec;
  const needsIndexes = "requires indexed completion mode";
  if (completionMode !== "Indexed") {
    const keys = completionMode === "NonIndexed" ? ["backoffLimitPerIndex", "maxFailedIndexes"] : [];
    const causes = keys
      .filter((key) => spec[key] !== undefined)
      .map((key) => invalid(`${path}.${key}`, spec[key], needsIndexes));
    if (successPolicy === undefined) return causes;
    return [...causes, invalid(`${path}.successPolicy`, internalPolicy(object(successPolicy)), needsIndexes)];
  }
  const causes: StatusCause[] = [];
  if (completions === undefined) {
    causes.push(required(`${path}.completions`, "when completion mode is Indexed"));
  }
  if (maxFailedIndexes === undefined) return causes;
  if (backoffLimitPerIndex === undefined) {
    causes.push(required(`${path}.backoffLimitPerIndex`, "when maxFailedIndexes is specified"));
  }
  if (completions !== undefined && Number(maxFailedIndexes) > Number(completions)) {
    causes.push(
      invalid(`${path}.maxFailedIndexes`, maxFailedIndexes, "must be less than or equal to completions"),
    );
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
