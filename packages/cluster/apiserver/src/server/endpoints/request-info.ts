/** What a path under /api or /apis names. */
export interface ResourcePath {
  group: string;
  version: string;
  /** Plural name. */
  resource: string;
  /** Empty for cluster-scoped resources and for lists over all namespaces. */
  namespace: string;
  /** Empty for a collection. */
  name: string;
  /** Empty for the object itself. */
  subresource: string;
}

/** `namespaces/x/status` is the namespace's own subresource; `namespaces/x/pods` a resource in it. */
const namespaceSubresources = new Set(["status", "finalize"]);

/** What follows the version, with the namespace taken off where it is not itself what the path is about. */
export function splitNamespace(parts: readonly string[]): { namespace: string; parts: readonly string[] } {
  const [first, namespace, third] = parts;
  if (first !== "namespaces" || namespace === undefined) return { namespace: "", parts };
  const isItself = third === undefined || namespaceSubresources.has(third);
  return { namespace, parts: isItself ? parts : parts.slice(2) };
}

/**
 * Reads `/api/v1/…` and `/apis/{group}/{version}/…` (RequestInfoFactory of k8s.io/apiserver). undefined: it is not the
 * path of a resource. Paths of more parts than a subresource has lead nowhere.
 */
export function parseResourcePath(segments: readonly string[]): ResourcePath | undefined {
  const [root, ...rest] = segments;
  let group = "";
  if (root === "apis") group = rest.shift() ?? "";
  else if (root !== "api") return undefined;
  const version = rest.shift();
  if (version === undefined || rest.length === 0) return undefined;
  const { namespace, parts } = splitNamespace(rest);
  const [resource = "", name = "", subresource = "", ...beyond] = parts;
  // What is behind `proxy` is for somebody else.
  return beyond.length > 0 && subresource !== "proxy"
    ? undefined
    : { group, version, resource, namespace, name, subresource };
}

/** The verb as RBAC knows it. Empty for a method that has none here. */
export function verbOf(method: string, path: ResourcePath, watch: boolean): string {
  switch (method) {
    case "GET":
    case "HEAD":
      if (watch && path.name === "") return "watch";
      return path.name === "" ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return path.name === "" ? "deletecollection" : "delete";
    default:
      return "";
  }
}
