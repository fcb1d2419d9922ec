/** The parts of a path under /api or /apis. */
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

/** `namespaces/x/status` is a subresource of the namespace. `namespaces/x/pods` is a resource in it. */
const namespaceSubresources = new Set(["status", "finalize"]);

/**
 * Splits the parts after the version into a namespace and the rest. The namespace stays in the rest if the
 * path is about it.
 */
export function splitNamespace(parts: readonly string[]): { namespace: string; parts: readonly string[] } {
  const [first, namespace, third] = parts;
  if (first !== "namespaces" || namespace === undefined) return { namespace: "", parts };
  const isItself = third === undefined || namespaceSubresources.has(third);
  return { namespace, parts: isItself ? parts : parts.slice(2) };
}

/**
 * Parses `/api/v1/…` and `/apis/{group}/{version}/…` (RequestInfoFactory of k8s.io/apiserver). Returns
 * undefined if the path is not that of a resource. A path with more parts than a subresource names nothing.
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
  // The server behind the proxy handles the rest of the path.
  return beyond.length > 0 && subresource !== "proxy"
    ? undefined
    : { group, version, resource, namespace, name, subresource };
}

/** Returns the verb for RBAC, or "" for a method without one. */
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
