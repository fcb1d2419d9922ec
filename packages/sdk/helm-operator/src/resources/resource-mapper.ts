import { apiVersionOf, type Client, defineResource, isNotFound, type Resource } from "@operator-path/client";
import {
  createScheme,
  type Manager,
  type Scheme,
  SchemeError,
  type TypeMeta,
} from "@operator-path/controller-runtime";

/** Finds the resource that serves a kind, and asks the server for unknown kinds (Go: meta.RESTMapper). */
export interface ResourceMapper {
  /**
   * Returns the resource of a kind. Knows built-in kinds, and asks the server for others, once for each
   * group-version.
   *
   * @returns undefined when the server does not serve the kind (yet): the next call asks again
   * @throws ApiError when the server refuses discovery
   */
  resourceFor(type: TypeMeta): Promise<Resource | undefined>;
  /** Adds a resource, so that the server need not be asked for it. */
  know(resource: Resource): void;
  /**
   * Knows the built-in kinds, and those that `resourceFor` has found: for a client that writes such objects.
   */
  readonly scheme: Scheme;
}

/** The fields of meta/v1 APIResourceList that are read. */
interface ApiResourceList {
  resources?: { name: string; kind: string; namespaced: boolean }[];
}

/**
 * Returns a mapper for the server of a connection. @param known the kinds to start with. Default: built-in
 * ones
 */
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

  /** Adds every resource of the group-version at once: a chart rarely has just one of its kinds. */
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
      // "deployments/scale" is a subresource, whose kind belongs to another resource.
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

/** One mapper for each manager: its controllers render charts of much the same kinds. */
const mappers = new WeakMap<Manager, ResourceMapper>();

/**
 * Returns the mapper of a manager.
 *
 * @param resource a resource to add, so that the server need not be asked for it
 */
export function mapperOf(manager: Manager, resource?: Resource): ResourceMapper {
  const mapper = mappers.get(manager) ?? createResourceMapper(manager.connection, manager.scheme);
  mappers.set(manager, mapper);
  if (resource) mapper.know(resource);
  return mapper;
}

/** Returns the group of an apiVersion: "apps" of "apps/v1", "" of "v1". */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
