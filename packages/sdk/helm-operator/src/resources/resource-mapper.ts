import { apiVersionOf, type Client, defineResource, isNotFound, type Resource } from "@operator-path/client";
import { createScheme, type Scheme, SchemeError, type TypeMeta } from "@operator-path/controller-runtime";

/** Which resource serves a kind, asked of the server where nobody has said so (Go: meta.RESTMapper). */
export interface ResourceMapper {
  /**
   * Built-in kinds are known; of others the server is asked once a group version.
   *
   * @returns undefined when the server does not serve the kind (yet): it is asked again the next time
   * @throws ApiError when the server refuses discovery
   */
  resourceFor(type: TypeMeta): Promise<Resource | undefined>;
  /** Of this one nobody need ask. */
  know(resource: Resource): void;
  /** Knows the built-in kinds, and what `resourceFor` has found so far: for a client that writes these objects. */
  readonly scheme: Scheme;
}

/** meta/v1 APIResourceList, as far as it is read. */
interface ApiResourceList {
  resources?: { name: string; kind: string; namespaced: boolean }[];
}

/** @param known Default: the built-in kinds */
export function createResourceMapper(
  connection: Pick<Client, "request">,
  known: Scheme = createScheme(),
): ResourceMapper {
  let scheme = known;

  function add(found: readonly Resource[]): void {
    const unknown = found.filter(
      (resource) => !scheme.recognizes({ apiVersion: apiVersionOf(resource), kind: resource.kind }),
    );
    if (unknown.length > 0) scheme = createScheme(...scheme.resources(), ...unknown);
  }

  /** Every resource of the group version is learnt at once: a chart rarely has just one kind of it. */
  async function learn(apiVersion: string): Promise<void> {
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const answer = await connection.request({ method: "GET", path }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (!answer) return;
    const list = JSON.parse(Buffer.from(answer.body).toString("utf8")) as ApiResourceList;
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    const found = (list.resources ?? [])
      // "deployments/scale" is a subresource, whose kind is another one's.
      .filter(({ name }) => !name.includes("/"))
      .map(({ name, kind, namespaced }) =>
        defineResource({ group, version, kind, plural: name, namespaced }),
      );
    add(found);
  }

  function lookUp(type: TypeMeta): Resource | undefined {
    return scheme.recognizes(type) ? scheme.resourceFor(type) : undefined;
  }

  return {
    async resourceFor(type) {
      const { apiVersion, kind } = type;
      if (!apiVersion || !kind) throw new SchemeError("an object has no apiVersion or no kind");
      const before = lookUp(type);
      if (before) return before;
      await learn(apiVersion);
      return lookUp(type);
    },
    know: (resource) => add([resource]),
    scheme: {
      resourceFor: (object) => scheme.resourceFor(object),
      recognizes: (type) => scheme.recognizes(type),
      resources: () => scheme.resources(),
    },
  };
}
