import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import {
  forbidden,
  invalid,
  invalidLabels,
  notSupported,
  required,
} from "../../apimachinery/validation/cause.ts";
import {
  isEmptySelector,
  selects,
  validateLabelSelector,
} from "../../apimachinery/validation/label-selector.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { labels, object, text } from "../../lib/json/read.ts";
import type { Named } from "../../server/table/printer.ts";
import { validatePodTemplate } from "../core/pod/validation/pod-spec.ts";
import type { ContainerNames, Labelled } from "../printing.ts";

/** The fields that the table cells of Deployment, ReplicaSet, StatefulSet and DaemonSet read. */
export interface Workload extends Named {
  spec?: {
    replicas?: number;
    selector?: Labelled;
    template?: PodTemplateSpec;
  };
  status?: {
    replicas?: number;
    readyReplicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
    desiredNumberScheduled?: number;
    currentNumberScheduled?: number;
    numberReady?: number;
    updatedNumberScheduled?: number;
    numberAvailable?: number;
  };
}

export interface PodTemplateSpec {
  metadata?: { labels?: Record<string, string> };
  spec?: { containers?: ContainerNames[]; nodeSelector?: Record<string, string> };
}

/** Returns a strategy as a real server's message shows it: in its internal form. */
export function internalStrategy(strategy: JsonObject): JsonObject {
  return { Type: strategy.type ?? "", RollingUpdate: strategy.rollingUpdate ?? null };
}

export function validateSelectorAndTemplate(spec: JsonObject, kind: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const selector = isJsonObject(spec.selector) ? spec.selector : undefined;
  let selectorIsValid = true;
  if (selector === undefined) {
    // Of a DaemonSet without a selector, a real server reports only that the selector does not match.
    if (kind !== "daemonset") causes.push(required("spec.selector"));
  } else {
    const errors = validateLabelSelector(selector, "spec.selector");
    selectorIsValid = errors.length === 0;
    causes.push(...errors);
    if (!selectorIsValid) causes.push(invalid("spec.selector", selector, "invalid label selector"));
    else if (isEmptySelector(selector)) {
      causes.push(invalid("spec.selector", {}, `empty selector is invalid for ${kind}`));
    }
  }
  const template = object(spec.template);
  const given = object(template.metadata).labels;
  const isEmpty = selector !== undefined && isEmptySelector(selector);
  if (selectorIsValid && !isEmpty && !selects(selector, labels(given))) {
    const detail = "`selector` does not match template `labels`";
    causes.push(invalidLabels("spec.template.metadata.labels", given, detail));
  }
  causes.push(...validatePodTemplate(template, "spec.template"), ...validateTemplateRules(template));
  return causes;
}

function validateTemplateRules(template: JsonObject): StatusCause[] {
  const spec = object(template.spec);
  const causes: StatusCause[] = [];
  const { restartPolicy, activeDeadlineSeconds } = spec;
  const known = ["Always", "OnFailure", "Never"].includes(text(restartPolicy));
  if (known && restartPolicy !== "Always") {
    causes.push(notSupported("spec.template.spec.restartPolicy", restartPolicy, ["Always"]));
  }
  if (activeDeadlineSeconds !== undefined) {
    const detail = "activeDeadlineSeconds in ReplicaSet is not Supported";
    causes.push(forbidden("spec.template.spec.activeDeadlineSeconds", detail));
  }
  return causes;
}

export function immutableSelector(spec: JsonObject, old: ApiObject | undefined): StatusCause[] {
  if (old === undefined || isDeepStrictEqual(spec.selector, object(old.spec).selector)) return [];
  return [invalid("spec.selector", spec.selector, "field is immutable")];
}
