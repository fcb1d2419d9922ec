import { apiVersionOf, type KubeObject, type Resource } from "@operator-path/client";
import { builtInResources } from "./built-in.ts";

/** What kind an object is of: every Kubernetes object says so itself. */
export type TypeMeta = Pick<KubeObject, "apiVersion" | "kind">;

/**
 * Which resource serves which kind (Go: runtime.Scheme and meta.RESTMapper in one). A client is given an object, and has
 * to know the path to send it to.
 */
export interface Scheme {
  /**
   * The resource of an object, or of `{ apiVersion, kind }`.
   *
   * @throws SchemeError when the object does not say what it is, or the scheme does not know it
   */
  resourceFor<T extends KubeObject>(object: T): Resource<T>;
  /** Whether the scheme knows the kind. */
  recognizes(type: TypeMeta): boolean;
  /** Every resource that is known, built-in ones first. */
  resources(): Resource[];
}

/** An object is of a kind that a scheme does not know, or of none. */
export class SchemeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SchemeError";
  }
}

/**
 * The built-in kinds, and those of the resources given. Nothing is registered anywhere else: two schemes know nothing of
 * each other.
 *
 * @throws SchemeError when two resources of different paths are to serve one kind
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
    // The map forgets the type of the objects; the object's own kind, by which it is found, stands for it.
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
    const hint = others.length > 0 ? ` (it knows the kind in ${others.join(", ")})` : "";
    const [version, group = ""] = apiVersion.split("/").reverse();
    const definition = `defineResource({ group: ${JSON.stringify(group)}, version: ${JSON.stringify(version)}, kind: ${JSON.stringify(kind)}, plural: …, namespaced: … })`;
    return `the scheme does not know the kind ${keyOf(apiVersion, kind)}${hint}: add it with createScheme(${definition})`;
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
  return `an object${name ? ` ${JSON.stringify(name)}` : ""} has no ${missing}: say what it is, as in { apiVersion: "v1", kind: "ConfigMap", … }`;
}
