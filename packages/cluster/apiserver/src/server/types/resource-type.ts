import type { RawSchema } from "../../apimachinery/schema/schema.ts";

/** A resource that the server serves: one plural name in one group-version. */
export interface ResourceType {
  /** "" for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  /** Groups of resources for kubectl: `all`. */
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Of the resource itself: create, delete, deletecollection, get, list, patch, update, watch. */
  readonly verbs: readonly string[];
  /** Names of the subresources: `status`, `scale`, `log`, … `subresourceTypes` tells more of each. */
  readonly subresources: readonly string[];
  readonly subresourceTypes: readonly SubresourceType[];
  /**
   * Whether objects are kept in this version. Two types of one kind are two views of the same objects; one is the
   * storage version. (Events: core v1; events.k8s.io/v1 is the other view.)
   */
  readonly storage: boolean;
  readonly storageVersionHash?: string;
  /** What every answer warns of, if the version is deprecated: `v1 Endpoints is deprecated in v1.33+; use …`. */
  readonly deprecationWarning?: string;
  /** Only for a version of a CustomResourceDefinition. */
  readonly custom?: CustomType;
}

/** What the server uses of a version of a CustomResourceDefinition. */
export interface CustomType {
  /** Name of the CustomResourceDefinition: `<plural>.<group>`. */
  readonly definition: string;
  /** As in the definition; undefined where it states none. */
  readonly schema: RawSchema | undefined;
  /** Where the scale subresource finds its numbers, if there is one. */
  readonly scale?: ScalePaths;
  /** Changes with everything that the OpenAPI document of the version depends on. */
  readonly hash: string;
}

/** apiextensions/v1 CustomResourceSubresourceScale. */
export interface ScalePaths {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}

export interface SubresourceType {
  readonly name: string;
  /** The kind of the bodies: Pod for `status`, Scale (autoscaling/v1) for `scale`, PodExecOptions for `exec`. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** `v1`, `apps/v1`: schema.GroupVersion as text. */
export function groupVersion(type: { group: string; version: string }): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}

/** A column of a Table: meta/v1 TableColumnDefinition. */
export interface ColumnDefinition {
  /** As it is printed: `Name`, `Ready`. kubectl writes it in capitals. */
  name: string;
  /** OpenAPI type: string, integer, number, boolean, date. */
  type: string;
  /** OpenAPI format; `name` marks the column that holds the object's name. */
  format: string;
  description: string;
  /** 0 is always shown; anything above only with `-o wide`. */
  priority: number;
}
