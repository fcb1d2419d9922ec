import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { isNothing, validateAmount, validateAtMostAll } from "../../apimachinery/validation/amount.ts";
import { forbidden, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import {
  isEmptySelector,
  selects,
  validateLabelSelector,
} from "../../apimachinery/validation/label-selector.ts";
import { nonNegative } from "../../apimachinery/validation/rules.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { labels, object, objects, text } from "../../lib/json/read.ts";
import { validatePodTemplate } from "../core/pod/validation/pod-spec.ts";

/** apps/v1 Deployment. */
export function validateDeployment(deployment: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(deployment.spec);
  const causes = [
    ...nonNegative(
      spec,
      "spec",
      "replicas",
      "minReadySeconds",
      "revisionHistoryLimit",
      "progressDeadlineSeconds",
    ),
    ...validateSelectorAndTemplate(spec, "deployment"),
    ...validateStrategy(object(spec.strategy), "spec.strategy"),
    ...immutableSelector(spec, old),
  ];
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  if (typeof deadline === "number" && deadline <= Number(minReadySeconds)) {
    causes.push(invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds"));
  }
  return causes;
}

/** apps/v1 ReplicaSet. */
export function validateReplicaSet(replicaSet: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(replicaSet.spec);
  return [
    ...nonNegative(spec, "spec", "replicas", "minReadySeconds"),
    ...validateSelectorAndTemplate(spec, "replicaset"),
    ...immutableSelector(spec, old),
  ];
}

/** apps/v1 DaemonSet. */
export function validateDaemonSet(daemonSet: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(daemonSet.spec);
  const strategy = object(spec.updateStrategy);
  const causes = [
    ...validateSelectorAndTemplate(spec, "daemonset"),
    ...nonNegative(spec, "spec", "minReadySeconds", "revisionHistoryLimit"),
    ...immutableSelector(spec, old),
  ];
  if (strategy.type !== "RollingUpdate" && strategy.type !== "OnDelete") {
    causes.push(
      notSupported("spec.updateStrategy", internalStrategy(strategy), ["RollingUpdate", "OnDelete"]),
    );
  }
  const { maxSurge, maxUnavailable } = object(strategy.rollingUpdate);
  if (strategy.type === "RollingUpdate" && !isNothing(maxSurge ?? 0) && !isNothing(maxUnavailable ?? 1)) {
    const detail = "may not be set when maxUnavailable is non-zero";
    causes.push(invalid("spec.updateStrategy.rollingUpdate.maxSurge", maxSurge, detail));
  }
  return causes;
}

const statefulSetMutable = [
  "replicas",
  "ordinals",
  "template",
  "updateStrategy",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
  "minReadySeconds",
];

/** apps/v1 StatefulSet. */
export function validateStatefulSet(statefulSet: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(statefulSet.spec);
  const strategy = object(spec.updateStrategy);
  const causes: StatusCause[] = [];
  if (spec.podManagementPolicy !== "OrderedReady" && spec.podManagementPolicy !== "Parallel") {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    causes.push(invalid("spec.podManagementPolicy", spec.podManagementPolicy, detail));
  }
  if (strategy.type !== "RollingUpdate" && strategy.type !== "OnDelete") {
    const detail = "must be 'RollingUpdate' or 'OnDelete'";
    causes.push(invalid("spec.updateStrategy", internalStrategy(strategy), detail));
  }
  if (strategy.type === "OnDelete" && isJsonObject(strategy.rollingUpdate)) {
    const { partition = null, maxUnavailable = null } = strategy.rollingUpdate;
    const inner = { Partition: partition, MaxUnavailable: maxUnavailable };
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    causes.push(invalid("spec.updateStrategy.rollingUpdate", inner, detail));
  }
  causes.push(
    ...nonNegative(spec, "spec", "replicas", "minReadySeconds", "revisionHistoryLimit"),
    ...nonNegative(object(spec.ordinals), "spec.ordinals", "start"),
    ...validateRetention(object(spec.persistentVolumeClaimRetentionPolicy)),
    ...validateSelectorAndTemplate(withClaimVolumes(spec), "statefulset"),
  );
  if (old !== undefined && !isDeepStrictEqual(fixedPart(spec), fixedPart(object(old.spec)))) {
    const names = statefulSetMutable.map((name) => `'${name}'`);
    const list = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
    const detail = `updates to statefulset spec for fields other than ${list} are forbidden`;
    causes.push(forbidden("spec", detail));
  }
  return causes;
}

/** Claim templates count as volumes of the Pods: containers may mount them. */
function withClaimVolumes(spec: JsonObject): JsonObject {
  const claims = objects(spec.volumeClaimTemplates).map(({ metadata }) => text(object(metadata).name));
  if (claims.length === 0) return spec;
  const template = object(spec.template);
  const podSpec = object(template.spec);
  const own = objects(podSpec.volumes).filter(({ name }) => !claims.includes(text(name)));
  const volumes = [...own, ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }))];
  return { ...spec, template: { ...template, spec: { ...podSpec, volumes } } };
}

function validateRetention(policy: JsonObject): StatusCause[] {
  const values = ["Retain", "Delete"];
  const path = "spec.persistentVolumeClaimRetentionPolicy";
  return ["whenDeleted", "whenScaled"].flatMap((key) =>
    policy[key] === undefined || values.includes(text(policy[key]))
      ? []
      : [notSupported(`${path}.${key}`, policy[key], values)],
  );
}

function fixedPart(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !statefulSetMutable.includes(key)));
}

/** How a real server's message shows a strategy: in its inner form. */
function internalStrategy(strategy: JsonObject): JsonObject {
  return { Type: strategy.type ?? "", RollingUpdate: strategy.rollingUpdate ?? null };
}

function validateSelectorAndTemplate(spec: JsonObject, kind: string): StatusCause[] {
  const causes: StatusCause[] = [];
  const selector = isJsonObject(spec.selector) ? spec.selector : undefined;
  let selectorIsValid = true;
  if (selector === undefined) {
    // A real server finds the lack of a DaemonSet's selector only in that it does not match.
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
    causes.push(invalid("spec.template.metadata.labels", given ?? null, detail));
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

function immutableSelector(spec: JsonObject, old: ApiObject | undefined): StatusCause[] {
  if (old === undefined || isDeepStrictEqual(spec.selector, object(old.spec).selector)) return [];
  return [invalid("spec.selector", spec.selector, "field is immutable")];
}

function validateStrategy(strategy: JsonObject, path: string): StatusCause[] {
  const { type, rollingUpdate } = strategy;
  if (type === "Recreate") {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return isJsonObject(rollingUpdate) ? [forbidden(`${path}.rollingUpdate`, detail)] : [];
  }
  if (type !== "RollingUpdate") {
    return [notSupported(path, internalStrategy(strategy), ["Recreate", "RollingUpdate"])];
  }
  const { maxUnavailable, maxSurge } = object(rollingUpdate);
  const inner = `${path}.rollingUpdate`;
  const causes = [
    ...validateAmount(maxUnavailable, `${inner}.maxUnavailable`),
    ...validateAmount(maxSurge, `${inner}.maxSurge`),
  ];
  if (isNothing(maxUnavailable) && isNothing(maxSurge)) {
    causes.push(invalid(`${inner}.maxUnavailable`, maxUnavailable, "may not be 0 when `maxSurge` is 0"));
  }
  return [...causes, ...validateAtMostAll(maxUnavailable, `${inner}.maxUnavailable`)];
}
