import { timestamp } from "../../lib/clock.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import type { Strategy, StrategyContext } from "../../server/registry/strategy.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { formatAccessModes, UNSET } from "../printing.ts";
import { ensureObject, setDefault } from "../set-default.ts";

/** The strategy of core/v1 PersistentVolumes: the status says when the phase last changed. */
const persistentVolumeStrategy: Strategy = {
  returnsDeleted: true,
  prepareForCreate: (draft, context) => setPhase(draft, "Pending", context),
  prepareForUpdate(draft, old, context, subresource) {
    if (subresource !== "status") return;
    const [before, after] = [statusOf(old), statusOf(draft)];
    const isStated =
      after.lastPhaseTransitionTime !== undefined &&
      after.lastPhaseTransitionTime !== before.lastPhaseTransitionTime;
    if (isStated) return;
    if (after.phase !== before.phase) setPhase(draft, String(after.phase), context);
    else if (before.lastPhaseTransitionTime !== undefined) {
      draft.status = { ...after, lastPhaseTransitionTime: before.lastPhaseTransitionTime };
    }
  },
};

function setPhase(draft: ApiObject, phase: string, { clock }: Pick<StrategyContext, "clock">): void {
  draft.status = { ...statusOf(draft), phase, lastPhaseTransitionTime: timestamp(clock.now()) };
}

function statusOf({ status }: ApiObject) {
  return isJsonObject(status) ? status : {};
}

/** Sets the defaults of a core/v1 PersistentVolume. */
function defaultPersistentVolume(volume: JsonObject): void {
  const spec = ensureObject(volume, "spec");
  setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
  setDefault(spec, "volumeMode", "Filesystem");
  setDefault(ensureObject(volume, "status"), "phase", "Pending");
  if (isJsonObject(spec.hostPath) && spec.hostPath.type === undefined) spec.hostPath.type = "";
}

interface PersistentVolume extends Named {
  spec?: {
    capacity?: { storage?: string };
    accessModes?: string[];
    persistentVolumeReclaimPolicy?: string;
    claimRef?: { namespace?: string; name?: string };
    storageClassName?: string;
    volumeAttributesClassName?: string;
    volumeMode?: string;
  };
  status?: { phase?: string; reason?: string };
}

const persistentVolumePrinter = definePrinter<PersistentVolume>((object, context) => {
  const { metadata, spec, status } = object;
  const claim = spec?.claimRef;
  return [
    nameOf(object),
    spec?.capacity?.storage ?? "0",
    formatAccessModes(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? "",
    metadata.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating",
    claim === undefined ? "" : `${claim.namespace ?? ""}/${claim.name ?? ""}`,
    metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName ?? "",
    spec?.volumeAttributesClassName ?? UNSET,
    status?.reason ?? "",
    ageOf(object, context),
    spec?.volumeMode ?? UNSET,
  ];
});

/** core/v1 PersistentVolume. */
export const persistentVolumeKind: BuiltInKind = {
  strategy: persistentVolumeStrategy,
  setDefaults: defaultPersistentVolume,
  printer: persistentVolumePrinter,
};
