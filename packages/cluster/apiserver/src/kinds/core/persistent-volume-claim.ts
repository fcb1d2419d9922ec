import { isDeepStrictEqual } from "node:util";
import { compareQuantities, parseQuantity } from "@operator-path/client";
import type { StatusCause } from "../../apimachinery/errors.ts";
import { forbidden, invalid, notSupported, required } from "../../apimachinery/validation/cause.ts";
import { validateLabelSelector } from "../../apimachinery/validation/label-selector.ts";
import { isDns1123Subdomain } from "../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { object, text, texts } from "../../lib/json/read.ts";
import { ageOf, definePrinter, type Named, nameOf } from "../../server/table/printer.ts";
import type { BuiltInKind } from "../built-in-kind.ts";
import { formatAccessModes, UNSET } from "../printing.ts";
import { ensureObject, setDefault } from "../set-default.ts";

/** Sets the defaults of a core/v1 PersistentVolumeClaim. */
export function defaultPersistentVolumeClaim(claim: JsonObject): void {
  if (isJsonObject(claim.spec)) setDefault(claim.spec, "volumeMode", "Filesystem");
  setDefault(ensureObject(claim, "status"), "phase", "Pending");
}

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Validates a core/v1 PersistentVolumeClaim. */
function validatePersistentVolumeClaim(claim: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = object(claim.spec);
  return [
    ...validatePersistentVolumeClaimSpec(spec, "spec"),
    ...(old === undefined ? [] : validateChange(spec, object(old.spec), object(old.status))),
  ];
}

/** Validates the spec of a claim, or of a claim template of a StatefulSet. */
function validatePersistentVolumeClaimSpec(spec: JsonObject, path: string): StatusCause[] {
  const modes = texts(spec.accessModes);
  const causes: StatusCause[] = [];
  if (modes.length === 0) causes.push(required(`${path}.accessModes`, "at least 1 access mode is required"));
  if (isJsonObject(spec.selector)) causes.push(...validateLabelSelector(spec.selector, `${path}.selector`));
  for (const mode of modes) {
    if (!accessModes.includes(mode)) causes.push(notSupported(`${path}.accessModes`, mode, accessModes));
  }
  if (modes.length > 1 && modes.includes("ReadWriteOncePod")) {
    const detail = "may not use ReadWriteOncePod with other access modes";
    causes.push(forbidden(`${path}.accessModes`, detail));
  }
  const storage = text(object(object(spec.resources).requests).storage);
  if (storage === "") causes.push(required(`${path}.resources[storage]`));
  else if (parseQuantity(storage).nano <= 0n) {
    causes.push(invalid(`${path}.resources[storage]`, storage, "must be greater than zero"));
  }
  const storageClass = text(spec.storageClassName);
  if (storageClass !== "") {
    const errors = isDns1123Subdomain(storageClass);
    causes.push(...errors.map((error) => invalid(`${path}.storageClassName`, storageClass, error)));
  }
  const modesOfVolume = ["Block", "Filesystem"];
  if (spec.volumeMode !== undefined && !modesOfVolume.includes(text(spec.volumeMode))) {
    causes.push(notSupported(`${path}.volumeMode`, spec.volumeMode, modesOfVolume));
  }
  return causes;
}

/**
 * Validates an update. It may only set the volume's name or a missing class, and enlarge a bound claim.
 */
function validateChange(spec: JsonObject, before: JsonObject, status: JsonObject): StatusCause[] {
  const causes: StatusCause[] = [];
  const size = text(object(object(spec.resources).requests).storage);
  const sizeBefore = text(object(object(before.resources).requests).storage);
  const isBound = status.phase === "Bound";
  const munged: JsonObject = { ...before };
  if (isBound && size !== "" && sizeBefore !== "") {
    munged.resources = spec.resources ?? {};
    if (compareQuantities(parseQuantity(size), parseQuantity(sizeBefore)) < 0) {
      const detail = "field can not be less than status.capacity";
      causes.push(forbidden("spec.resources.requests.storage", detail));
    }
  }
  if (text(before.volumeName) === "" && spec.volumeName !== undefined) munged.volumeName = spec.volumeName;
  if (before.storageClassName === undefined && spec.storageClassName !== undefined) {
    munged.storageClassName = spec.storageClassName;
  }
  if (!isDeepStrictEqual(munged, spec)) {
    const detail =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n";
    causes.push(forbidden("spec", detail));
  }
  return causes;
}

interface PersistentVolumeClaim extends Named {
  spec?: {
    volumeName?: string;
    storageClassName?: string;
    volumeAttributesClassName?: string;
    volumeMode?: string;
  };
  status?: { phase?: string; accessModes?: string[]; capacity?: { storage?: string } };
}

const persistentVolumeClaimPrinter = definePrinter<PersistentVolumeClaim>((object, context) => {
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

/** core/v1 PersistentVolumeClaim. */
export const persistentVolumeClaimKind: BuiltInKind = {
  strategy: { returnsDeleted: true, initialStatus: () => ({ phase: "Pending" }) },
  setDefaults: defaultPersistentVolumeClaim,
  validate: validatePersistentVolumeClaim,
  printer: persistentVolumeClaimPrinter,
};
