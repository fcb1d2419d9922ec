import { isDeepStrictEqual } from "node:util";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { forbidden, invalid, notSupported } from "../../apimachinery/validation/cause.ts";
import { nonNegative } from "../../apimachinery/validation/rules.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, objects, text } from "../../lib/json/read.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { defaultPersistentVolumeClaim } from "../core/persistent-volume-claim.ts";
import { defaultPodTemplate } from "../core/pod/defaults.ts";
import { templateWarnings } from "../core/pod/warnings.ts";
import { formatContainers } from "../printing.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";
import { internalStrategy, validateSelectorAndTemplate, type Workload } from "./workload.ts";

/** Sets the defaults of an apps/v1 StatefulSet (SetDefaults_StatefulSet). */
function defaultStatefulSet(statefulSet: JsonObject): void {
  const spec = ensureObject(statefulSet, "spec");
  setDefault(spec, "podManagementPolicy", "OrderedReady");
  const strategy = ensureObject(spec, "updateStrategy");
  if (!strategy.type) {
    strategy.type = "RollingUpdate";
    ensureObject(strategy, "rollingUpdate");
  }
  if (strategy.type === "RollingUpdate" && isJsonObject(strategy.rollingUpdate)) {
    setDefault(strategy.rollingUpdate, "partition", 0);
  }
  const retention = ensureObject(spec, "persistentVolumeClaimRetentionPolicy");
  setDefault(retention, "whenDeleted", "Retain");
  setDefault(retention, "whenScaled", "Retain");
  setDefault(spec, "replicas", 1);
  setDefault(spec, "revisionHistoryLimit", 10);
  for (const claim of objectsOf(spec.volumeClaimTemplates)) {
    setDefault(claim, "apiVersion", "v1");
    setDefault(claim, "kind", "PersistentVolumeClaim");
    defaultPersistentVolumeClaim(claim);
  }
  defaultPodTemplate(spec.template);
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

/** Validates an apps/v1 StatefulSet. */
function validateStatefulSet(statefulSet: ApiObject, old?: ApiObject): StatusCause[] {
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

/** Returns the Pod spec with one volume per claim template, because containers may mount those. */
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

const statefulSetPrinter = definePrinter<Workload>((statefulSet, context) => {
  const { spec, status } = statefulSet;
  return [
    nameOf(statefulSet),
    `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ageOf(statefulSet, context),
    ...formatContainers(spec?.template?.spec?.containers),
  ];
});

/** apps/v1 StatefulSet. */
export const statefulSetKind: BuiltInKind = {
  strategy: { generation: true, initialStatus: () => ({ replicas: 0, availableReplicas: 0 }) },
  setDefaults: defaultStatefulSet,
  validate: validateStatefulSet,
  warnings: templateWarnings(["spec", "template"]),
  printer: statefulSetPrinter,
};
