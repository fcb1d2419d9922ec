import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { formatAccessModes, UNSET } from "../printing.ts";

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

export const persistentVolumePrinter = definePrinter<PersistentVolume>((object, context) => {
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
