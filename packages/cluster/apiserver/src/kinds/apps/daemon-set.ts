import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { invalid, notSupported } from "../../apimachinery/validation/cause.ts";
import { isNothing, nonNegative } from "../../apimachinery/validation/rules.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object } from "../../lib/json/read.ts";
import type { Strategy } from "../../server/registry/strategy.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { defaultPodTemplate } from "../core/pod/defaults.ts";
import { templateWarnings } from "../core/pod/warnings.ts";
import { formatContainers, formatLabels, formatSelector, NONE } from "../printing.ts";
import { ensureObject, setDefault } from "../set-default.ts";
import {
  immutableSelector,
  internalStrategy,
  validateSelectorAndTemplate,
  type Workload,
} from "./workload.ts";

/** The annotation that counts changes of the template. Earlier API versions had a field for it. */
const templateGeneration = "deprecated.daemonset.template.generation";

const daemonSetStrategy: Strategy = {
  generation: true,
  initialStatus: () => ({
    currentNumberScheduled: 0,
    desiredNumberScheduled: 0,
    numberMisscheduled: 0,
    numberReady: 0,
  }),
  prepareForCreate: (draft) => setTemplateGeneration(draft, 1),
  prepareForUpdate(draft, old, _context, subresource) {
    const before = Number(old.metadata.annotations?.[templateGeneration] ?? 0);
    const changed = subresource === "" && !isDeepStrictEqual(templateOf(draft), templateOf(old));
    setTemplateGeneration(draft, changed ? before + 1 : before);
  },
};

function setTemplateGeneration({ metadata }: ApiObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
}

function templateOf({ spec }: ApiObject) {
  return isJsonObject(spec) ? spec.template : undefined;
}

/** Sets the defaults of an apps/v1 DaemonSet (SetDefaults_DaemonSet). */
function defaultDaemonSet(daemonSet: JsonObject): void {
  const spec = ensureObject(daemonSet, "spec");
  const strategy = ensureObject(spec, "updateStrategy");
  setDefault(strategy, "type", "RollingUpdate");
  if (strategy.type === "RollingUpdate") {
    const rollingUpdate = ensureObject(strategy, "rollingUpdate");
    setDefault(rollingUpdate, "maxUnavailable", 1);
    setDefault(rollingUpdate, "maxSurge", 0);
  }
  setDefault(spec, "revisionHistoryLimit", 10);
  defaultPodTemplate(spec.template);
  // Go adds the annotation when it converts an object, before it records who set which field.
  setDefault(ensureObject(ensureObject(daemonSet, "metadata"), "annotations"), templateGeneration, "0");
}

/** Validates an apps/v1 DaemonSet. */
function validateDaemonSet(daemonSet: ApiObject, old?: ApiObject): StatusCause[] {
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

const daemonSetPrinter = definePrinter<Workload>((daemonSet, context) => {
  const { spec, status } = daemonSet;
  return [
    nameOf(daemonSet),
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    formatLabels(spec?.template?.spec?.nodeSelector),
    ageOf(daemonSet, context),
    ...formatContainers(spec?.template?.spec?.containers),
    formatSelector(spec?.selector) || NONE,
  ];
});

/** apps/v1 DaemonSet. */
export const daemonSetKind: BuiltInKind = {
  strategy: daemonSetStrategy,
  setDefaults: defaultDaemonSet,
  validate: validateDaemonSet,
  warnings: templateWarnings(["spec", "template"]),
  printer: daemonSetPrinter,
};
