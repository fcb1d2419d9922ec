/** The parts of a path of the API server. */
export interface RequestPath {
  /** The path with placeholders, the same for all objects of a kind. */
  readonly template: string;
  /** "" is the core group. undefined for a path that is not a resource (/version). */
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Parses a path as kube-apiserver does. Go: RequestInfoFactory. */
export function readRequestPath(path: string): RequestPath {
  const parts = path.split("/").slice(1);
  const isCore = parts[0] === "api";
  const head = isCore ? 2 : 3;
  if ((!isCore && parts[0] !== "apis") || parts.length <= head) return { template: path };
  const [group = "", version = ""] = isCore ? ["", parts[1]] : [parts[1], parts[2]];
  const prefix = `/${parts.slice(0, head).join("/")}`;
  const rest = parts.slice(head).map(decoded);
  // Everything below a namespace is inside it, except the namespace's own subresources.
  const inNamespace =
    rest[0] === "namespaces" && rest.length > 2 && rest[2] !== "status" && rest[2] !== "finalize";
  const [namespace, [resource = "", name, ...subresource]] = inNamespace
    ? [rest[1], rest.slice(2)]
    : [undefined, rest];
  return {
    template: [
      prefix,
      ...(inNamespace ? ["namespaces/{namespace}"] : []),
      resource,
      ...(name === undefined ? [] : ["{name}"]),
      // After "proxy" the path belongs to another server.
      ...subresource.slice(0, 1),
    ].join("/"),
    ...{ group, version, resource },
    ...(subresource[0] === undefined ? {} : { subresource: subresource[0] }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
