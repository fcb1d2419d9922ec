import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { formatAccessModes, UNSET } from "../printing.ts";

interface PersistentVolumeClaim extends Named {
  spec?: {
    volumeName?: string;
    storageClassName?: string;
    volumeAttributesClassName?: string;
    volumeMode?: string;
  };
  status?: { phase?: string; accessModes?: string[]; capacity?: { storage?: string } };
}

export const persistentVolumeClaimPrinter = definePrinter<PersistentVolumeClaim>((object, context) => {
  const { metadata, spec, status } = object;
  const bound = Boolean(spec?.volumeName);
  return [
    nameOf(object),
    metadata.deletionTimestamp === undefined ? (status?.phase ?? "") : "Terminating",
    spec?.volumeName ?? "",
    bound ? (status?.capacity?.storage ?? "0") : "",
    bound ? formatAccessModes(status?.accessModes) : "",
    metadata.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? spec?.storageClassName ?? "",
    spec?.volumeAttributesClassName ?? UNSET,
    ageOf(object, context),
    spec?.volumeMode ?? UNSET,
  ];
});
