import type * as t from "./generated/kubernetes-types.ts";
import type { ApplyConfiguration } from "./patch-types.ts";
import type { KubeObject } from "./resource.ts";

/**
 * The type of each kind that is known by its apiVersion and kind, so that an object literal is checked against it. Add
 * your own kinds by declaration merging:
 *
 *     declare module "@operator-path/client" {
 *       interface Kinds {
 *         "cache.example.com/v1alpha1/Memcached": Memcached;
 *       }
 *     }
 */
export interface Kinds {
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": t.MutatingWebhookConfiguration;
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": t.ValidatingWebhookConfiguration;
  "apiextensions.k8s.io/v1/CustomResourceDefinition": t.CustomResourceDefinition;
  "apps/v1/DaemonSet": t.DaemonSet;
  "apps/v1/Deployment": t.Deployment;
  "apps/v1/ReplicaSet": t.ReplicaSet;
  "apps/v1/StatefulSet": t.StatefulSet;
  "autoscaling/v2/HorizontalPodAutoscaler": t.HorizontalPodAutoscaler;
  "batch/v1/CronJob": t.CronJob;
  "batch/v1/Job": t.Job;
  "coordination.k8s.io/v1/Lease": t.Lease;
  "discovery.k8s.io/v1/EndpointSlice": t.EndpointSlice;
  "networking.k8s.io/v1/Ingress": t.Ingress;
  "networking.k8s.io/v1/NetworkPolicy": t.NetworkPolicy;
  "policy/v1/PodDisruptionBudget": t.PodDisruptionBudget;
  "rbac.authorization.k8s.io/v1/ClusterRole": t.ClusterRole;
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": t.ClusterRoleBinding;
  "rbac.authorization.k8s.io/v1/Role": t.Role;
  "rbac.authorization.k8s.io/v1/RoleBinding": t.RoleBinding;
  "storage.k8s.io/v1/StorageClass": t.StorageClass;
  "v1/ConfigMap": t.ConfigMap;
  "v1/Event": t.Event;
  "v1/Namespace": t.Namespace;
  "v1/Node": t.Node;
  "v1/PersistentVolume": t.PersistentVolume;
  "v1/PersistentVolumeClaim": t.PersistentVolumeClaim;
  "v1/Pod": t.Pod;
  "v1/ResourceQuota": t.ResourceQuota;
  "v1/Secret": t.Secret;
  "v1/Service": t.Service;
  "v1/ServiceAccount": t.ServiceAccount;
}

/**
 * The type of an object with this apiVersion and kind: that of `Kinds`; `T`, the object's own, where the literal types are
 * not known or the kind is not.
 */
export type KindOf<T, ApiVersion, Kind> = string extends ApiVersion
  ? T
  : string extends Kind
    ? T
    : `${ApiVersion & string}/${Kind & string}` extends infer Key extends keyof Kinds
      ? Kinds[Key]
      : T;

/** An object whose fields are checked against its kind, when its apiVersion and kind are written out. */
export type Typed<T extends KubeObject, ApiVersion extends string, Kind extends string> = {
  apiVersion?: ApiVersion | undefined;
  kind?: Kind | undefined;
} & KindOf<T, ApiVersion, Kind>;

/** An apply configuration whose fields are checked against its kind, when its apiVersion and kind are written out. */
export type TypedApply<T extends KubeObject, ApiVersion extends string, Kind extends string> = {
  apiVersion?: ApiVersion | undefined;
  kind?: Kind | undefined;
} & (KindOf<undefined, ApiVersion, Kind> extends infer Known
  ? Known extends KubeObject
    ? ApplyConfiguration<Known>
    : T | ApplyConfiguration<T>
  : never);
