import type { GrantContext } from "../../kinds/rbac/escalation.ts";
import type { Clock } from "../../lib/clock.ts";
import type { ApiObject } from "../../lib/json/json.ts";
import type { Store } from "../storage/store.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { Scope } from "./scope.ts";

/** What the hooks of a strategy may use of the server. */
export interface StrategyContext extends GrantContext {
  readonly store: Store;
  readonly registry: TypeRegistry;
  readonly clock: Clock;
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
