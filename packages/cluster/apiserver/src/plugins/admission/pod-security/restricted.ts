import { object, objects, text, texts } from "../../../lib/json/read.ts";
import { procMount } from "./baseline.ts";
import {
  type Check,
  type CheckPod,
  containersOf,
  inUserNamespace,
  isSet,
  named,
  plural,
  podSecurityContext,
  quoted,
  setters,
  sorted,
  unlessWindows,
} from "./check.ts";
import { seccompRestricted } from "./seccomp.ts";

const allowPrivilegeEscalation: CheckPod = (pod) => {
  const bad = containersOf(pod).filter(({ security }) => security.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${named(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

const capabilities: CheckPod = (pod) => {
  const containers = containersOf(pod).map((entry) => {
    const { drop, add } = object(entry.security.capabilities);
    return {
      ...entry,
      dropsAll: texts(drop).includes("ALL"),
      added: texts(add).filter((name) => name !== "NET_BIND_SERVICE"),
    };
  });
  const keeping = containers.filter(({ dropsAll }) => !dropsAll);
  const adding = containers.filter(({ added }) => added.length > 0);
  const details: string[] = [];
  if (keeping.length > 0)
    details.push(`${named(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const names = sorted(adding.flatMap(({ added }) => added));
    details.push(`${named(adding)} must not include ${quoted(names)} in securityContext.capabilities.add`);
  }
  return details.length === 0
    ? undefined
    : { reason: "unrestricted capabilities", detail: details.join("; ") };
};

const allowedVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

const forbiddenVolumes = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
];

const volumes: CheckPod = ({ spec }) => {
  const bad = objects(spec.volumes).filter((volume) => !allowedVolumes.some((type) => isSet(volume[type])));
  if (bad.length === 0) return undefined;
  const types = sorted(
    bad.map((volume) => forbiddenVolumes.find((type) => isSet(volume[type])) ?? "unknown"),
  );
  const names = quoted(bad.map(({ name }) => text(name)));
  const verb = plural(bad.length, "uses", "use");
  const noun = plural(types.length, "restricted volume type", "restricted volume types");
  return {
    reason: "restricted volume types",
    detail: `${plural(bad.length, "volume", "volumes")} ${names} ${verb} ${noun} ${quoted(types)}`,
  };
};

const runAsNonRoot: CheckPod = (pod) => {
  const ofPod = podSecurityContext(pod).runAsNonRoot;
  const containers = containersOf(pod);
  const bad = containers.filter(({ security }) => security.runAsNonRoot === false);
  const reason = "runAsNonRoot != true";
  const who = setters(ofPod === false, bad);
  if (who !== "") return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = ofPod === true ? [] : containers.filter(({ security }) => !isSet(security.runAsNonRoot));
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${named(silent)} must set securityContext.runAsNonRoot=true` };
};

const runAsUser: CheckPod = (pod) => {
  const bad = containersOf(pod).filter(({ security }) => security.runAsUser === 0);
  const who = setters(podSecurityContext(pod).runAsUser === 0, bad);
  return who === "" ? undefined : { reason: "runAsUser=0", detail: `${who} must not set runAsUser=0` };
};

const unlessUserNamespace =
  (check: CheckPod): CheckPod =>
  (pod) =>
    inUserNamespace(pod) ? undefined : check(pod);

/** The checks in addition to the baseline, in the order in which messages list them. */
export const restrictedChecks: readonly Check[] = [
  {
    id: "allowPrivilegeEscalation",
    versions: [
      { from: 8, check: allowPrivilegeEscalation },
      { from: 25, check: unlessWindows(allowPrivilegeEscalation) },
    ],
  },
  {
    id: "capabilities_restricted",
    overrides: "capabilities_baseline",
    versions: [
      { from: 22, check: capabilities },
      { from: 25, check: unlessWindows(capabilities) },
    ],
  },
  { id: "procMount_restricted", overrides: "procMount", versions: [{ from: 35, check: procMount }] },
  { id: "restrictedVolumes", overrides: "hostPathVolumes", versions: [{ from: 0, check: volumes }] },
  {
    id: "runAsNonRoot",
    versions: [
      { from: 0, check: runAsNonRoot },
      { from: 35, check: unlessUserNamespace(runAsNonRoot) },
    ],
  },
  {
    id: "runAsUser",
    versions: [
      { from: 23, check: runAsUser },
      { from: 35, check: unlessUserNamespace(runAsUser) },
    ],
  },
  {
    id: "seccompProfile_restricted",
    overrides: "seccompProfile_baseline",
    versions: [
      { from: 19, check: seccompRestricted },
      { from: 25, check: unlessWindows(seccompRestricted) },
    ],
  },
];
