import type { KubeObject } from "@operator-path/client";

/** What was done about one object of a release. */
export interface Repair {
  readonly object: {
    readonly apiVersion: string;
    readonly kind: string;
    /** None: the object is cluster-scoped. */
    readonly namespace?: string;
    readonly name: string;
  };
  /** The file that it was rendered from, as helm names it. */
  readonly template: string;
  /**
   * - `created`: it was not there.
   * - `patched`: `fields` were not as in the manifest.
   * - `adopted`: nothing but its owner was missing, as after an installation.
   * - `contested`: somebody else changes `fields`, or deletes the object (there are none), after each repair. Told once, when
   *   it is left alone for the time of `pause`.
   * - `failed`: see `error`.
   */
  readonly action: "created" | "patched" | "adopted" | "contested" | "failed";
  /** Paths: `spec.template.spec.containers[name="web"].image`. */
  readonly fields: readonly string[];
  /** Of what is contested: the field managers that have set the fields, as far as that is known. */
  readonly others?: readonly string[];
  /** Milliseconds. */
  readonly pause?: number;
  readonly error?: Error;
  /**
   * Of a failure. False: it will not pass by itself (the server calls the object invalid, or it belongs to somebody else);
   * nothing is sent again until the object or the manifest changes, or ten minutes have gone by. True: try again.
   */
  readonly retry?: boolean;
}

/** How a repair names its object, to begin a sentence with: "Deployment default/web". */
export function nameOfRepaired({ kind, namespace, name }: Repair["object"]): string {
  return `${kind} ${namespace ? `${namespace}/` : ""}${name}`;
}

export function referenceTo({ apiVersion = "", kind = "", metadata }: KubeObject): Repair["object"] {
  const { namespace, name = "" } = metadata ?? {};
  return { apiVersion, kind, ...(namespace ? { namespace } : {}), name };
}
