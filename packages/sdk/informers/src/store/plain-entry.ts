import type { KubeObject, ObjectMeta } from "@operator-path/client";
import type { ObjectSpan } from "../wire/object-span.ts";
import type { Entry } from "./entry.ts";

/** An entry that holds its parsed object. */
export class PlainEntry<T extends KubeObject> implements Entry<T> {
  readonly key: string;
  readonly uid: string;
  readonly resourceVersion: string;
  epoch = 0;
  indexed: Entry<T>["indexed"] = undefined;
  readonly #object: T;

  constructor(span: ObjectSpan, object: T) {
    this.key = span.key;
    this.uid = span.uid;
    this.resourceVersion = span.resourceVersion;
    this.#object = object;
  }

  object(): T {
    return this.#object;
  }

  /** Does nothing: the garbage collector frees the object. */
  release(): void {}

  metadata(): ObjectMeta {
    return this.#object.metadata ?? {};
  }
}
