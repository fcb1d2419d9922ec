import type * as t from "./generated/kubernetes-types.ts";
import type { ApplyConfiguration } from "./patch-types.ts";
import type { KubeObject } from "./resource.ts";

/**
 * Maps apiVersion and kind to a type, so that the compiler checks object literals. Add your own kinds by
 * declaration merging:
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
 * The type of an object with this apiVersion and kind, from `Kinds`. It is `T`, the object's own type, if
 * `Kinds` does not have the kind or the two are not literal types.
 */
export type KindOf<T, ApiVersion, Kind> = string extends ApiVersion
  ? T
  : string extends Kind
    ? T
    : `${ApiVersion & string}/${Kind & string}` extends infer Key extends keyof Kinds
      ? Kinds[Key]
      : T;

/** An object that is checked against the type of its kind, if its apiVersion and kind are literals. */
export type Typed<T extends KubeObject, ApiVersion extends string, Kind extends string> = {
  apiVersion?: ApiVersion | undefined;
  kind?: Kind | undefined;
} & KindOf<T, ApiVersion, Kind>;

/**
 * An apply configuration that is checked against the type of its kind, if its apiVersion and kind are
 * literals.
 */
export type TypedApply<T extends KubeObject, ApiVersion extends string, Kind extends string> = {
  apiVersion?: ApiVersion | undefined;
  kind?: Kind | undefined;
} & (KindOf<undefined, ApiVersion, Kind> extends infer Known
  ? Known extends KubeObject
    ? ApplyConfiguration<Known>
    : T | ApplyConfiguration<T>
  : never);
