import type { StatusCause } from "../../apimachinery/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { FieldSet } from "../../lib/structured-merge-diff/field-set.ts";
import type { Store } from "../storage/store.ts";
import type { Columns } from "../table/printer.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";
import type { Scope } from "./scope.ts";
import type { SelectableFields } from "./selectable-fields.ts";
import type { View } from "./view.ts";

/** The parts of the server that hooks of a strategy use. */
export interface StrategyContext {
  readonly store: Store;
  readonly registry: TypeRegistry;
  readonly clock: Clock;
  readonly kindOf: KindLookup;
  /** In [0, 1). */
  readonly random: () => number;
  /**
   * Deletes all objects of a collection without admission. Objects with finalizers stay until these are
   * removed (CRClientGetter of apiextensions-apiserver's CRDFinalizer).
   */
  readonly deleteCollection: (collection: string) => void;
}

/**
 * The rules for writing a kind. Hooks may change drafts in place. Objects from the store are frozen and can
 * only be replaced.
 */
export interface Strategy {
  /**
   * Called before admission and again right before the write.
   * @throws ApiStatusError 403 or 404 while objects of the kind cannot be created
   */
  checkMayBeCreated?(draft: ApiObject, context: StrategyContext, scope: Scope): void;
  /** Sets and resets fields after admission and before validation. */
  prepareForCreate?(draft: ApiObject, context: StrategyContext, scope: Scope): void;
  /** Called after the generic preparation. `subresource` is "" or "status". */
  prepareForUpdate?(
    draft: ApiObject,
    old: ApiObject,
    context: StrategyContext,
    subresource: string,
    scope: Scope,
  ): void;
  /**
   * Called right before the write if validating admission waited. Checks again for conflicts, because another
   * request may have taken a value meanwhile. @throws ApiStatusError 422
   */
  afterWaiting?(draft: ApiObject, old: ApiObject | undefined, context: StrategyContext): void;
  /** Called after the object has been stored. */
  afterCreate?(created: ApiObject, context: StrategyContext): void;
  afterUpdate?(updated: ApiObject, old: ApiObject, context: StrategyContext): void;
  afterDelete?(deleted: ApiObject, context: StrategyContext): void;
  /** Checks whether the object may be deleted. @throws ApiStatusError */
  validateDelete?(object: ApiObject): void;
  /**
   * Returns the seconds between the request and the end of the object, or undefined without a grace period.
   * Only Pods have one.
   */
  gracePeriod?(object: ApiObject, asked: number | undefined): number | undefined;
  /** Changes a draft when its deletion begins: namespaces become Terminating. */
  markDeleting?(draft: ApiObject): void;
  /**
   * Whether the kind's own controller deletes its objects. Deleting one then sets neither a grace period nor
   * a new generation.
   */
  deletesItself?: boolean;
  /**
   * Returns whether the object must stay even without metadata.finalizers. Namespaces have finalizers in
   * their spec.
   */
  heldBack?(object: ApiObject): boolean;
  /** Whether an update without a resourceVersion is allowed. Default: true. */
  unconditionalUpdate?: boolean;
  /** Whether a PUT on a free name creates the object. Default: false. */
  createOnUpdate?: boolean;
  /** Whether a DELETE answers with the object instead of a Status. Default: false. */
  returnsDeleted?: boolean;
  /** Whether metadata.generation counts changes of the spec. Default: false. */
  generation?: boolean;
  /** Returns whether an update is a new generation. Default: the spec has changed. */
  generationChanged?(draft: ApiObject, old: ApiObject): boolean;
  /** Whether the garbage collector ignores the kind. Default: false. */
  withoutGarbageCollection?: boolean;
  /** Returns the status of a new object, if it is not empty. */
  initialStatus?(draft: ApiObject): ApiObject["status"];
  /** Whether a create keeps the client's status. Default: false. */
  keepsStatusOnCreate?: boolean;
}

export interface ValidationOptions {
  /** The object before an update. */
  old?: ApiObject;
  /** "", "status", "ephemeralcontainers", … Default: "". */
  subresource?: string;
  /** Called with a text for a `Warning` header about an invalid value that the old object already had. */
  warn?: (text: string) => void;
}

/**
 * How the server reads and writes objects of a kind. In Go, a registry.Store has the strategies and the table
 * convertor, and a runtime.Scheme has the defaults, conversions and field labels.
 */
export interface Kind {
  readonly strategy: Strategy;
  /** Sets the defaults of an object in place. A second call changes nothing. */
  setDefaults(object: ApiObject): void;
  /** Returns what is wrong with an object before it is stored. It has its defaults. */
  validate(object: ApiObject, options: ValidationOptions): StatusCause[];
  /** Returns texts for `Warning` headers about a valid object with a probable mistake. */
  warnings(object: ApiObject, old: ApiObject | undefined): string[];
  /** The fields that a write to the status leaves unchanged (GetResetFields of the status strategy). */
  readonly statusResets: FieldSet;
  readonly selectableFields: SelectableFields;
  columns(registry: Pick<TypeRegistry, "columns" | "definition">): Columns;
  /** Shows stored objects in the version of the type. Default: only their apiVersion differs. */
  readonly view?: ObjectView;
  /** Returns an object in another version of the kind, without a webhook. */
  inVersion(object: ApiObject, apiVersion: string): ApiObject;
  /**
   * Converts objects to another version of the kind, with its conversion webhook if it has one.
   *
   * @returns as many objects, in the same order
   * @throws ApiStatusError 500 when the webhook fails
   */
  convert(objects: readonly ApiObject[], apiVersion: string, signal: AbortSignal): Promise<ApiObject[]>;
}

/** The part of a View that depends on the kind. */
export type ObjectView = Pick<View, "ready" | "object" | "body" | "toStorage">;

/** Returns the kind of a type. It is the same for as long as the type is served. */
export type KindLookup = (type: ResourceType) => Kind;
