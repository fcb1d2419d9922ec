import { apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";
import { builtInResources } from "./built-in.ts";

/** The apiVersion and kind of an object. */
export type TypeMeta = Pick<KubeObject, "apiVersion" | "kind">;

/**
 * Maps kinds to resources. A client needs it to find the path for an object. Go: runtime.Scheme and
 * meta.RESTMapper in one.
 */
export interface Scheme {
  /**
   * Returns the resource of an object, or of `{ apiVersion, kind }`.
   *
   * @throws SchemeError when the object has no apiVersion or kind, or the scheme does not know them
   */
  resourceFor<T extends KubeObject>(object: T): Resource<T>;
  /** Returns whether the scheme knows the kind. */
  recognizes(type: TypeMeta): boolean;
  /** Returns every known resource, built-in ones first. */
  resources(): Resource[];
}

/** An object has no kind, or one that the scheme does not know. */
export class SchemeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SchemeError";
  }
}

/**
 * Creates a scheme with the built-in kinds and the given resources. Nothing is registered globally: schemes
 * are independent of each other.
 *
 * @throws SchemeError when two resources with different paths serve the same kind
 */
export function createScheme(...resources: Resource[]): Scheme {
  const known = new Map<string, Resource>();
  for (const resource of [...builtInResources, ...resources]) {
    const key = keyOf(apiVersionOf(resource), resource.kind);
    const before = known.get(key);
    if (before && (before.plural !== resource.plural || before.namespaced !== resource.namespaced)) {
      throw new SchemeError(`two resources for the kind ${key}: ${place(before)} and ${place(resource)}`);
    }
    known.set(key, before ?? resource);
  }
  return {
    // The map loses the type of the object. Its kind, which the lookup uses, restores it.
    resourceFor: <T extends KubeObject>(object: T) => find(object) as Resource<T>,
    recognizes: ({ apiVersion, kind }) => known.has(keyOf(apiVersion, kind)),
    resources: () => [...known.values()],
  };

  function find(object: KubeObject): Resource {
    const { apiVersion, kind } = object;
    if (!apiVersion || !kind) throw new SchemeError(untyped(object));
    const resource = known.get(keyOf(apiVersion, kind));
    if (!resource) throw new SchemeError(unknown(apiVersion, kind));
    return resource;
  }

  function unknown(apiVersion: string, kind: string): string {
    const others = [...known.values()].filter((resource) => resource.kind === kind).map(apiVersionOf);
    const alternatives = others.length > 0 ? ` (it knows the kind in ${others.join(", ")})` : "";
    const [version, group = ""] = apiVersion.split("/").reverse();
    const definition = `defineResource({ group: ${JSON.stringify(group)}, version: ${JSON.stringify(version)}, kind: ${JSON.stringify(kind)}, plural: …, namespaced: … })`;
    return `the scheme does not know the kind ${keyOf(apiVersion, kind)}${alternatives}: add it with createScheme(${definition})`;
  }
}

/** "apps/v1, Kind=Deployment", as Go writes a GroupVersionKind. */
function keyOf(apiVersion = "", kind = ""): string {
  return `${apiVersion}, Kind=${kind}`;
}

function place({ plural, namespaced }: Resource): string {
  return `${plural} (${namespaced ? "namespaced" : "cluster-scoped"})`;
}

function untyped({ apiVersion, kind, metadata }: KubeObject): string {
  const missing = [apiVersion ? [] : "apiVersion", kind ? [] : "kind"].flat().join(" and ");
  const name = metadata?.name ?? metadata?.generateName;
  return `an object${name ? ` ${JSON.stringify(name)}` : ""} has no ${missing}: add it, as in { apiVersion: "v1", kind: "ConfigMap", … }`;
}
