import type { TransportRequest } from "@operator-path/client";

/** The attributes on which RBAC decides. apiserver: authorizer.Attributes. */
export interface RequestAttributes {
  /**
   * get, list, watch, create, update, patch, delete or deletecollection. For other paths, the method in lower
   * case.
   */
  readonly verb: string;
  /**
   * "list" for a watch that starts with the current objects. Clients list instead when a server does not
   * support or answer such a watch.
   */
  readonly alternative?: string;
  /** "" for the core group. */
  readonly group: string;
  /** The resource in the URL. "" for a path that is not a resource. */
  readonly resource: string;
  /** "" for none. */
  readonly subresource: string;
  /** "" for all namespaces and for cluster-scoped resources. */
  readonly namespace: string;
  /** "" for a collection. */
  readonly name: string;
  readonly path: string;
}

const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch" };

/** Returns the attributes of a request. apiserver: RequestInfoFactory. */
export function requestAttributes({ method, path, query }: TransportRequest): RequestAttributes {
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const rest = parts[0] === "apis" ? parts.slice(3) : parts.slice(2);
  const isResource = (parts[0] === "api" || parts[0] === "apis") && rest.length > 0;
  if (!isResource) {
    const nothing = { group: "", resource: "", subresource: "", namespace: "", name: "" };
    return { verb: method.toLowerCase(), ...nothing, path };
  }
  const group = parts[0] === "apis" ? (parts[1] ?? "") : "";
  // "namespaces/a" is a namespace. "namespaces/a/pods" is inside it, unlike the namespace's own subresources.
  const isIn = rest[0] === "namespaces" && rest.length > 2 && !["status", "finalize"].includes(rest[2] ?? "");
  const [resource = "", name = "", subresource = ""] = isIn ? rest.slice(2) : rest;
  const namespace = isIn ? (rest[1] ?? "") : "";
  const reads = name !== "" ? "get" : query?.watch ? "watch" : "list";
  const deletes = name !== "" ? "delete" : "deletecollection";
  const verb =
    method === "GET" ? reads : method === "DELETE" ? deletes : (verbs[method] ?? method.toLowerCase());
  const alternative = verb === "watch" && query?.sendInitialEvents ? { alternative: "list" } : {};
  return { verb, ...alternative, group, resource, subresource, namespace, name, path };
}
