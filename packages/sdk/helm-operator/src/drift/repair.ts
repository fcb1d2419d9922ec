import type { KubeObject } from "@operator-path/client";

/** What was done about one object of a release. */
export interface Repair {
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    /** Undefined: the object is cluster-scoped. */
    readonly namespace?: string;
    readonly name: string;
  };
  /** The file that it was rendered from, as helm names it. */
  readonly template: string;
  /**
   * - `created`: the object was missing.
   * - `patched`: `fields` differed from the manifest.
   * - `adopted`: only the owner was missing, as after an install.
   * - `contested`: another writer changes `fields` after each repair, or deletes the object (`fields` is
   *   empty). Reported once, when the object is left alone for the time of `pause`.
   * - `failed`: see `error`.
   */
  readonly action: "created" | "patched" | "adopted" | "contested" | "failed";
  /** Paths: `spec.template.spec.containers[name="web"].image`. */
  readonly fields: readonly string[];
  /** For contested fields: the field managers that have set them, as far as known. */
  readonly others?: readonly string[];
  /** For contested fields: milliseconds until the next repair. */
  readonly pause?: number;
  readonly error?: Error;
  /**
   * For a failure: whether to try again. False: the server calls the object invalid, or it belongs to another
   * owner. Nothing is sent again until the object or the manifest changes, or ten minutes have passed.
   */
  readonly retry?: boolean;
}

/** Returns the name of a repaired object, to begin a sentence with: "Deployment default/web". */
export function nameOfRepaired({ kind, namespace, name }: Repair["object"]): string {
  return `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
}

export function referenceTo({ apiVersion = "", kind = "", metadata }: KubeObject): Repair["object"] {
  const { namespace, name = "" } = metadata ?? {};
  return { apiVersion, kind, ...(namespace ? { namespace } : {}), name };
}
