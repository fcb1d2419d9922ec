import { defaultCrd } from "../apiextensions/definition/defaults.ts";
import { isJsonObject, type JsonObject } from "../lib/json/json.ts";
import { defaultValidatingAdmissionPolicy } from "./admissionregistration/admission-policy.ts";
import { defaultPolicyBinding } from "./admissionregistration/admission-policy-binding.ts";
import {
  defaultMutatingWebhooks,
  defaultValidatingWebhooks,
} from "./admissionregistration/webhook-configuration.ts";
import { defaultDaemonSet } from "./apps/daemon-set.ts";
import { defaultDeployment } from "./apps/deployment.ts";
import { defaultReplicaSet } from "./apps/replica-set.ts";
import { defaultStatefulSet } from "./apps/stateful-set.ts";
import { defaultHorizontalPodAutoscaler } from "./autoscaling/horizontal-pod-autoscaler.ts";
import { defaultCronJob } from "./batch/cron-job.ts";
import { defaultJob } from "./batch/job.ts";
import { defaultLimitRange } from "./core/limit-range.ts";
import { defaultNamespace } from "./core/namespace.ts";
import { defaultPersistentVolume } from "./core/persistent-volume.ts";
import { defaultPersistentVolumeClaim } from "./core/persistent-volume-claim.ts";
import { defaultPod, defaultPodTemplate } from "./core/pod/defaults.ts";
import { defaultSecret } from "./core/secret.ts";
import { defaultService } from "./core/service/defaults.ts";
import { defaultBinding } from "./rbac/roles.ts";
import { ensureObject, objectsOf, setDefault } from "./set-default.ts";

const byKind: Record<string, (object: JsonObject) => void> = {
  "/ConfigMap": () => {},
  "/Endpoints": (object) => {
    for (const subset of objectsOf(object.subsets)) {
      for (const port of objectsOf(subset.ports)) setDefault(port, "protocol", "TCP");
    }
  },
  "/Event": (object) => {
    // Not defaults, but what Go writes for fields that are always there.
    for (const time of ["eventTime", "firstTimestamp", "lastTimestamp"]) object[time] ??= null;
    for (const name of ["reportingComponent", "reportingInstance"]) object[name] ??= "";
  },
  "/LimitRange": defaultLimitRange,
  "/Namespace": defaultNamespace,
  "/Node": (object) => {
    const status = ensureObject(object, "status");
    if (isJsonObject(status.capacity)) setDefault(status, "allocatable", { ...status.capacity });
  },
  "/PersistentVolume": defaultPersistentVolume,
  "/PersistentVolumeClaim": defaultPersistentVolumeClaim,
  "/Pod": defaultPod,
  "/PodTemplate": (object) => defaultPodTemplate(object.template),
  "/Secret": defaultSecret,
  "/Service": defaultService,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": defaultMutatingWebhooks,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": defaultValidatingAdmissionPolicy,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": defaultPolicyBinding,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": defaultValidatingWebhooks,
  "apps/DaemonSet": defaultDaemonSet,
  "apps/Deployment": defaultDeployment,
  "apps/ReplicaSet": defaultReplicaSet,
  "apps/StatefulSet": defaultStatefulSet,
  "apiextensions.k8s.io/CustomResourceDefinition": defaultCrd,
  "autoscaling/HorizontalPodAutoscaler": defaultHorizontalPodAutoscaler,
  "batch/CronJob": defaultCronJob,
  "batch/Job": defaultJob,
  "discovery.k8s.io/EndpointSlice": (object) => {
    // Not defaults, but what Go writes for lists that are always there.
    for (const list of ["endpoints", "ports"]) if (objectsOf(object[list]).length === 0) object[list] = null;
    for (const port of objectsOf(object.ports)) {
      if (port.name === undefined) port.name = "";
      setDefault(port, "protocol", "TCP");
    }
  },
  "networking.k8s.io/NetworkPolicy": (object) => {
    const spec = ensureObject(object, "spec");
    for (const rule of [...objectsOf(spec.ingress), ...objectsOf(spec.egress)]) {
      for (const port of objectsOf(rule.ports)) setDefault(port, "protocol", "TCP");
    }
    const types = objectsOf(spec.egress).length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    if (!Array.isArray(spec.policyTypes) || spec.policyTypes.length === 0) spec.policyTypes = types;
  },
  "rbac.authorization.k8s.io/ClusterRole": (object) => {
    object.rules ??= null;
  },
  "rbac.authorization.k8s.io/ClusterRoleBinding": defaultBinding,
  "rbac.authorization.k8s.io/Role": (object) => {
    object.rules ??= null;
  },
  "rbac.authorization.k8s.io/RoleBinding": defaultBinding,
  "scheduling.k8s.io/PriorityClass": (object) => {
    setDefault(object, "preemptionPolicy", "PreemptLowerPriority");
  },
  "storage.k8s.io/StorageClass": (object) => {
    setDefault(object, "reclaimPolicy", "Delete");
    setDefault(object, "volumeBindingMode", "Immediate");
  },
};

/**
 * Gives a built-in object the defaults of its kind, as decoding does in a real server (SetDefaults_… of each API
 * package). Changes the object in place; a second time changes nothing. Kinds without defaults are left as they are.
 */
export function applyDefaults(object: JsonObject, type: { group: string; kind: string }): void {
  byKind[`${type.group}/${type.kind}`]?.(object);
}
