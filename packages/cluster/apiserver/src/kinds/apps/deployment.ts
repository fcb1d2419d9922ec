import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { forbidden, invalid, notSupported } from "../../apimachinery/validation/cause.ts";
import {
  isNothing,
  nonNegative,
  validateAmount,
  validateAtMostAll,
} from "../../apimachinery/validation/rules.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object } from "../../lib/json/read.ts";
import { fields } from "../../server/registry/reset-fields.ts";
import type { Strategy } from "../../server/registry/strategy.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { defaultPodTemplate } from "../core/pod/defaults.ts";
import { templateWarnings } from "../core/pod/warnings.ts";
import { formatContainers, formatSelector } from "../printing.ts";
import { ensureObject, setDefault } from "../set-default.ts";
import {
  immutableSelector,
  internalStrategy,
  validateSelectorAndTemplate,
  type Workload,
} from "./workload.ts";

const deploymentStrategy: Strategy = {
  generation: true,
  prepareForUpdate(draft, old, _context, subresource) {
    if (subresource !== "status") return;
    // A status update cannot change labels (deploymentStatusStrategy of apps/v1).
    if (old.metadata.labels === undefined) delete draft.metadata.labels;
    else draft.metadata.labels = old.metadata.labels;
  },
  // Annotations count: `kubectl rollout` and the controller pass revisions and change causes in them.
  generationChanged: (draft, old) =>
    !isDeepStrictEqual(draft.spec, old.spec) ||
    !isDeepStrictEqual(draft.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
};

/** Sets the defaults of an apps/v1 Deployment (SetDefaults_Deployment). */
function defaultDeployment(deployment: JsonObject): void {
  const spec = ensureObject(deployment, "spec");
  setDefault(spec, "replicas", 1);
  const strategy = ensureObject(spec, "strategy");
  setDefault(strategy, "type", "RollingUpdate");
  if (strategy.type === "RollingUpdate") {
    const rollingUpdate = ensureObject(strategy, "rollingUpdate");
    setDefault(rollingUpdate, "maxUnavailable", "25%");
    setDefault(rollingUpdate, "maxSurge", "25%");
  }
  setDefault(spec, "revisionHistoryLimit", 10);
  setDefault(spec, "progressDeadlineSeconds", 600);
  defaultPodTemplate(spec.template);
}

/** Validates an apps/v1 Deployment. */
function validateDeployment(deployment: ApiObject, old?: ApiObject): StatusCause[] {
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

const deploymentPrinter = definePrinter<Workload>((deployment, context) => {
  const { spec, status } = deployment;
  return [
    nameOf(deployment),
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    ageOf(deployment, context),
    ...formatContainers(spec?.template?.spec?.containers),
    formatSelector(spec?.selector),
  ];
});

/** apps/v1 Deployment. */
export const deploymentKind: BuiltInKind = {
  strategy: deploymentStrategy,
  setDefaults: defaultDeployment,
  validate: validateDeployment,
  warnings: templateWarnings(["spec", "template"], { namesPods: true }),
  statusResets: fields("spec", "metadata.labels"),
  printer: deploymentPrinter,
};
