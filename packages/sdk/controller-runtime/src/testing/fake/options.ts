import type { Clock, KubeObject, Resource } from "@operator-path/client";
import type { IndexFunction } from "@operator-path/informers";
import type { Scheme } from "../../client/scheme.ts";
import type { WriteDefaults } from "../../client/server-writer.ts";
import type { Interceptors } from "./interceptors.ts";

/** A cache index for a fake client. */
export interface FakeIndex<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>;
  /** The name of the field in `list(resource, { fields: { [field]: … } })`. */
  readonly field: string;
  index(object: T): ReturnType<IndexFunction<T>>;
}

/**
 * Configures a fake client. `fieldOwner`, `fieldValidation` and `dryRun` are those of a manager's client, so
 * both accept the same options. `fieldValidation` has no effect, because the fake client has no schema.
 */
export interface FakeClientOptions extends WriteDefaults {
  /** Default: the built-in kinds. */
  scheme?: Scheme;
  /**
   * The initial objects. They may have a status, a resourceVersion and, with finalizers, a deletionTimestamp.
   */
  objects?: readonly KubeObject[];
  /** Your resources that have a status subresource. The built-in ones are known. */
  statusSubresources?: readonly Resource[];
  /** The cache indexes (`indexField`) that lists use. */
  indexes?: readonly FakeIndex[];
  /** Functions that replace the client's methods, for errors or to observe calls. */
  interceptors?: Interceptors;
  clock?: Pick<Clock, "now">;
  /** Returns a number in [0, 1), for UIDs and generated names. Default Math.random. */
  random?: () => number;
}
