import { isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { objectsOf, setDefault } from "../../set-default.ts";
import { pullPolicyFor } from "./container-defaults.ts";

/** 0644: what files of a ConfigMap, a Secret and so on are readable as. */
const fileMode = 0o644;

/** core/v1 Volume: the source, where none is named, is an empty directory. */
export function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === "name")) volume.emptyDir = {};
  for (const kind of ["secret", "configMap", "downwardAPI", "projected"]) {
    const source = volume[kind];
    if (!isJsonObject(source)) continue;
    setDefault(source, "defaultMode", fileMode);
    defaultItems(source);
    for (const projection of objectsOf(source.sources)) defaultProjection(projection);
  }
  const { hostPath, image, iscsi, rbd, azureDisk, scaleIO, ephemeral } = volume;
  if (isJsonObject(hostPath) && hostPath.type === undefined) hostPath.type = "";
  if (isJsonObject(image)) setDefault(image, "pullPolicy", pullPolicyFor(image.reference));
  if (isJsonObject(iscsi)) setDefault(iscsi, "iscsiInterface", "default");
  if (isJsonObject(rbd)) {
    setDefault(rbd, "pool", "rbd");
    setDefault(rbd, "user", "admin");
    setDefault(rbd, "keyring", "/etc/ceph/keyring");
  }
  if (isJsonObject(azureDisk)) {
    setDefault(azureDisk, "cachingMode", "ReadWrite");
    setDefault(azureDisk, "kind", "Shared");
    setDefault(azureDisk, "fsType", "ext4");
    setDefault(azureDisk, "readOnly", false);
  }
  if (isJsonObject(scaleIO)) {
    setDefault(scaleIO, "storageMode", "ThinProvisioned");
    setDefault(scaleIO, "fsType", "xfs");
  }
  if (isJsonObject(ephemeral) && isJsonObject(ephemeral.volumeClaimTemplate)) {
    const { spec } = ephemeral.volumeClaimTemplate;
    if (isJsonObject(spec)) setDefault(spec, "volumeMode", "Filesystem");
  }
}

function defaultProjection(projection: JsonObject): void {
  const { serviceAccountToken, downwardAPI } = projection;
  if (isJsonObject(serviceAccountToken)) setDefault(serviceAccountToken, "expirationSeconds", 3600);
  if (isJsonObject(downwardAPI)) defaultItems(downwardAPI);
}

function defaultItems(source: JsonObject): void {
  for (const item of objectsOf(source.items)) {
    if (isJsonObject(item.fieldRef)) setDefault(item.fieldRef, "apiVersion", "v1");
  }
}
