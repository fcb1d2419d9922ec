import type { Clock, KubeObject, Resource } from "@operator-path/client";
import type { IndexFunction } from "@operator-path/informers";
import type { Scheme } from "../../client/scheme.ts";
import type { WriteDefaults } from "../../client/server-writer.ts";
import type { Interceptors } from "./interceptors.ts";

export interface FakeIndex<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>;
  /** What `list(resource, { fields: { [field]: … } })` asks for. */
  readonly field: string;
  index(object: T): ReturnType<IndexFunction<T>>;
}

/**
 * With the `fieldOwner`, `fieldValidation` and `dryRun` of a manager's client, so that both may have the same options.
 * `fieldValidation` has no effect: the fake client knows no schema.
 */
export interface FakeClientOptions extends WriteDefaults {
  /** Default: the built-in kinds. */
  scheme?: Scheme;
  /** What there is at first. They may have a status, a resourceVersion and, with finalizers, a deletionTimestamp. */
  objects?: readonly KubeObject[];
  /** Resources of one's own that have a status subresource; those of the built-in kinds are known. */
  statusSubresources?: readonly Resource[];
  /** The cache's indexes (`indexField`) that lists make use of. */
  indexes?: readonly FakeIndex[];
  /** Called in place of the client's methods, for errors and for looking on. */
  interceptors?: Interceptors;
  clock?: Pick<Clock, "now">;
  /** In [0, 1): for UIDs and generated names. Default Math.random. */
  random?: () => number;
}
