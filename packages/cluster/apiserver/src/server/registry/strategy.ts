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

/** What the hooks of a strategy may use of the server. */
export interface StrategyContext {
  readonly store: Store;
  readonly registry: TypeRegistry;
  readonly clock: Clock;
  readonly kindOf: KindLookup;
  /** In [0, 1). */
  readonly random: () => number;
  /**
   * Deletes all objects of a collection without admission. Objects with finalizers stay until these are removed.
   * (CRClientGetter of apiextensions-apiserver's CRDFinalizer)
   */
  readonly deleteCollection: (collection: string) => void;
}

/**
 * What is special about a kind when it is written. Drafts may be changed in place; what comes from the store is frozen
 * and may only be replaced.
 */
export interface Strategy {
  /**
   * Called before admission and again right before the write.
   * @throws ApiStatusError 403, 404 while objects of the kind cannot be created
   */
  checkMayBeCreated?(draft: ApiObject, context: StrategyContext, scope: Scope): void;
  /** After admission, before validation: fields that clients may not set, and those that the server sets. */
  prepareForCreate?(draft: ApiObject, context: StrategyContext, scope: Scope): void;
  /** After the generic part; `subresource` is "" or "status". */
  prepareForUpdate?(
    draft: ApiObject,
    old: ApiObject,
    context: StrategyContext,
    subresource: string,
    scope: Scope,
  ): void;
  /**
   * Right before the write, when validating admission has waited: what was free may be taken by now.
   * @throws ApiStatusError 422
   */
  afterWaiting?(draft: ApiObject, old: ApiObject | undefined, context: StrategyContext): void;
  /** Once the object is in the store. */
  afterCreate?(created: ApiObject, context: StrategyContext): void;
  afterUpdate?(updated: ApiObject, old: ApiObject, context: StrategyContext): void;
  afterDelete?(deleted: ApiObject, context: StrategyContext): void;
  /** @throws ApiStatusError when it may not be deleted */
  validateDelete?(object: ApiObject): void;
  /** Seconds between the request and the end of the object; undefined: no grace. Only pods have one. */
  gracePeriod?(object: ApiObject, asked: number | undefined): number | undefined;
  /** Changes to make when deletion begins (namespaces become Terminating). */
  markDeleting?(draft: ApiObject): void;
  /** Deletion is a matter of its own controller: the object gets neither a grace period nor a new generation. */
  deletesItself?: boolean;
  /** Holds the object although its metadata.finalizers are empty (namespaces have finalizers in their spec). */
  heldBack?(object: ApiObject): boolean;
  /** An update may come without a resourceVersion. Default true. */
  unconditionalUpdate?: boolean;
  /** A PUT on a name that is free creates the object. Default false. */
  createOnUpdate?: boolean;
  /** A DELETE answers with the object instead of a Status. Default false. */
  returnsDeleted?: boolean;
  /** Whether metadata.generation counts changes of the spec. Default false. */
  generation?: boolean;
  /** Whether an update is a new generation. Default: the spec has changed. */
  generationChanged?(draft: ApiObject, old: ApiObject): boolean;
  /** The garbage collector has nothing to do with it. Default false. */
  withoutGarbageCollection?: boolean;
  /** Status of a new object, where it is not empty. */
  initialStatus?(draft: ApiObject): ApiObject["status"];
  /** Keeps the status that a client creates the object with. Default false. */
  keepsStatusOnCreate?: boolean;
}

export interface ValidationOptions {
  /** The object before an update. */
  old?: ApiObject;
  /** "", "status", "ephemeralcontainers", … Default "". */
  subresource?: string;
  /** Takes a text for a `Warning` header: what would be invalid if the old object had not had it already. */
  warn?: (text: string) => void;
}

/**
 * What the server asks about a kind when it reads or writes its objects. In Go, a registry.Store has the strategies and
 * the table convertor, and a runtime.Scheme has the defaults, conversions and field labels.
 */
export interface Kind {
  readonly strategy: Strategy;
  /** Sets the defaults of an object in place. A second call changes nothing. */
  setDefaults(object: ApiObject): void;
  /** Returns what is wrong with an object that is about to be stored. Defaults are set already. */
  validate(object: ApiObject, options: ValidationOptions): StatusCause[];
  /** Returns texts for `Warning` headers about an object that is valid, but probably a mistake. */
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
   * @returns as many objects, in the same order
   * @throws ApiStatusError 500 when the webhook fails
   */
  convert(objects: readonly ApiObject[], apiVersion: string, signal: AbortSignal): Promise<ApiObject[]>;
}

/** The part of a View that depends on the kind. */
export type ObjectView = Pick<View, "ready" | "object" | "body" | "toStorage">;

/** Returns the kind of a type. It is the same for as long as the type is served. */
export type KindLookup = (type: ResourceType) => Kind;
