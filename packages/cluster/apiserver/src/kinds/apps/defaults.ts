import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import { defaultPersistentVolumeClaim } from "../core/persistent-volume-claim-defaults.ts";
import { defaultPodTemplate } from "../core/pod/pod-spec-defaults.ts";
import { ensureObject, objectsOf, setDefault } from "../set-default.ts";

// apps/v1: SetDefaults_Deployment, _ReplicaSet, _StatefulSet, _DaemonSet.

export function defaultDeployment(deployment: JsonObject): void {
  const spec = ensureObject(deployment, "spec");
  setDefault(spec, "replicas", 1);
  const strategy = ensureObject(spec, "strategy");
  setDefault(strategy, "type", "RollingUpdate");
  if (strategy.type === "RollingUpdate") {
    const rollingUpdate = ensureObject(strategy, "rollingUpdate");
    setDefault(rollingUpdate, "maxUnavailable", "25%");
    setDefault(rollingUpdate, "maxSurge", "25%");
  }
  setDefault(spec, "revisionHistoryLimit", 10);
  setDefault(spec, "progressDeadlineSeconds", 600);
  defaultPodTemplate(spec.template);
}

export function defaultReplicaSet(replicaSet: JsonObject): void {
  const spec = ensureObject(replicaSet, "spec");
  setDefault(spec, "replicas", 1);
  defaultPodTemplate(spec.template);
}

export function defaultDaemonSet(daemonSet: JsonObject): void {
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
}

export function defaultStatefulSet(statefulSet: JsonObject): void {
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
