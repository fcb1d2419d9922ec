import type { StatusCause } from "../../apimachinery/errors.ts";
import { nonNegative } from "../../apimachinery/validation/rules.ts";
import type { ApiObject, JsonObject } from "../../lib/json/json.ts";
import { object } from "../../lib/json/read.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { defaultPodTemplate } from "../core/pod/defaults.ts";
import { templateWarnings } from "../core/pod/warnings.ts";
import { formatContainers, formatSelector, NONE } from "../printing.ts";
import { ensureObject, setDefault } from "../set-default.ts";
import { immutableSelector, validateSelectorAndTemplate, type Workload } from "./workload.ts";

/** Sets the defaults of an apps/v1 ReplicaSet (SetDefaults_ReplicaSet). */
function defaultReplicaSet(replicaSet: JsonObject): void {
  const spec = ensureObject(replicaSet, "spec");
  setDefault(spec, "replicas", 1);
  defaultPodTemplate(spec.template);
}

/** Validates an apps/v1 ReplicaSet. */
function validateReplicaSet(replicaSet: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(replicaSet.spec);
  return [
    ...nonNegative(spec, "spec", "replicas", "minReadySeconds"),
    ...validateSelectorAndTemplate(spec, "replicaset"),
    ...immutableSelector(spec, old),
  ];
}

const replicaSetPrinter = definePrinter<Workload>((replicaSet, context) => {
  const { spec, status } = replicaSet;
  return [
    nameOf(replicaSet),
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageOf(replicaSet, context),
    ...formatContainers(spec?.template?.spec?.containers),
    formatSelector(spec?.selector) || NONE,
  ];
});

/** apps/v1 ReplicaSet. */
export const replicaSetKind: BuiltInKind = {
  strategy: { generation: true, initialStatus: () => ({ replicas: 0 }) },
  setDefaults: defaultReplicaSet,
  validate: validateReplicaSet,
  warnings: templateWarnings(["spec", "template"], { namesPods: true }),
  printer: replicaSetPrinter,
};
