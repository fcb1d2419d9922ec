import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { ensureObject, setDefault } from "../set-default.ts";

/** core/v1 PersistentVolumeClaim. */
export function defaultPersistentVolumeClaim(claim: JsonObject): void {
  if (isJsonObject(claim.spec)) setDefault(claim.spec, "volumeMode", "Filesystem");
  setDefault(ensureObject(claim, "status"), "phase", "Pending");
}

/** core/v1 PersistentVolume. */
export function defaultPersistentVolume(volume: JsonObject): void {
  const spec = ensureObject(volume, "spec");
  setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
  setDefault(spec, "volumeMode", "Filesystem");
  setDefault(ensureObject(volume, "status"), "phase", "Pending");
  if (isJsonObject(spec.hostPath) && spec.hostPath.type === undefined) spec.hostPath.type = "";
}
