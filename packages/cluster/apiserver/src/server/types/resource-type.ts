import type { RawSchema } from "../../apimachinery/schema/schema.ts";

/** A served resource: one plural name in one group-version. */
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
  /** Verbs of the resource itself: create, delete, deletecollection, get, list, patch, update, watch. */
  readonly verbs: readonly string[];
  /** Names of the subresources: `status`, `scale`, `log`, … `subresourceTypes` describes them. */
  readonly subresources: readonly string[];
  readonly subresourceTypes: readonly SubresourceType[];
  /**
   * Whether objects are stored in this version. Two types of one kind are two views of the same objects.
   * (Events are stored as core v1; events.k8s.io/v1 is the other view.)
   */
  readonly storage: boolean;
  readonly storageVersionHash?: string;
  /** The warning in every response of a deprecated version: `v1 Endpoints is deprecated in v1.33+; use …`. */
  readonly deprecationWarning?: string;
  /** Set only for a version of a CustomResourceDefinition. */
  readonly custom?: CustomType;
}

/** The parts of a CustomResourceDefinition's version that the server uses. */
export interface CustomType {
  /** Name of the CustomResourceDefinition: `<plural>.<group>`. */
  readonly definition: string;
  /** As in the definition. Undefined if it has none. */
  readonly schema: RawSchema | undefined;
  /** Paths of the scale subresource, if there is one. */
  readonly scale?: ScalePaths;
  /** The versions of the definition that are not served. Rules of webhooks and policies may still name them. */
  readonly unserved: readonly ResourceType[];
  /** Changes with everything that the OpenAPI document of the version contains. */
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
  /**
   * The kind of the bodies: Pod for `status`, Scale (autoscaling/v1) for `scale`, PodExecOptions for `exec`.
   */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** Formats a schema.GroupVersion: `v1`, `apps/v1`. */
export function groupVersion(type: { group: string; version: string }): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}

/** A column of a Table: meta/v1 TableColumnDefinition. */
export interface ColumnDefinition {
  /** The printed name: `Name`, `Ready`. kubectl writes it in capitals. */
  name: string;
  /** OpenAPI type: string, integer, number, boolean, date. */
  type: string;
  /** OpenAPI format. `name` marks the column with the object's name. */
  format: string;
  description: string;
  /** 0 is always shown, larger values only with `-o wide`. */
  priority: number;
}
