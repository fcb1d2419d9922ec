import { isPathSegment } from "../../lib/formats/names.ts";
import type { AccessAttributes, Authorizer } from "../auth/authorizer.ts";
import { accessDenied } from "../auth/authorizer.ts";
import { createImpersonator, readImpersonation } from "../auth/impersonation.ts";
import type { UserInfo } from "../auth/user.ts";
import type { ApiRequest } from "../http/request.ts";
import { flag } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import { type ResourcePath, splitNamespace } from "./request-info.ts";

/** Health paths, which need no authorization. */
const alwaysAllowed = new Set(["/healthz", "/livez", "/readyz"]);

interface AuthorizerContext {
  readonly authorize: Authorizer;
}

interface RequestAuthorizerContext extends AuthorizerContext {
  /** Called before a request is authorized. */
  readonly beforeAuthorizing: (attributes: AccessAttributes) => void;
}

/**
 * Returns a function that authorizes requests, whether or not the object exists (WithImpersonation and
 * WithAuthorization of k8s.io/apiserver). It takes the headers with all their values, and reads them only for
 * impersonation. It returns the request with the impersonated user, and throws ApiStatusError 400 or 403.
 */
export function createRequestAuthorizer(
  context: RequestAuthorizerContext,
): (request: ApiRequest, headers: () => NodeJS.Dict<string[]>) => ApiRequest {
  const impersonate = createImpersonator(context.authorize);
  return (request, headers) => {
    const attributes = accessAttributes(request);
    context.beforeAuthorizing(attributes);
    const wanted = wantsToImpersonate(request) ? readImpersonation(headers()) : undefined;
    const user = wanted === undefined ? request.user : impersonate(attributes, wanted);
    if (attributes.path === undefined || !alwaysAllowed.has(attributes.path)) {
      authorize(context, { ...attributes, user });
    }
    return wanted === undefined ? request : { ...request, user };
  };
}

function wantsToImpersonate({ headers }: ApiRequest): boolean {
  for (const name in headers) if (name.startsWith("impersonate-")) return true;
  return false;
}

/** Checks a permission. @throws ApiStatusError 403 with a real server's message */
export function authorizeResource(
  context: AuthorizerContext,
  user: UserInfo,
  verb: string,
  path: ResourcePath,
): void {
  authorize(context, { user, verb, ...path });
}

/** Returns the path of a resource request. */
export function resourcePath({ type, namespace, name, subresource }: Scope): ResourcePath {
  return { group: type.group, version: type.version, resource: type.plural, namespace, name, subresource };
}

function authorize(context: AuthorizerContext, attributes: AccessAttributes): void {
  const { allowed, reason } = context.authorize(attributes);
  if (!allowed) throw accessDenied(attributes, reason);
}

const verbs: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  HEAD: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Returns the attributes of a request from its method and path (RequestInfoFactory of k8s.io/apiserver). */
export function accessAttributes({ method, path, segments, query, user }: ApiRequest): AccessAttributes {
  const [root, ...parts] = segments;
  const groups = root === "apis" ? 1 : 0;
  if ((root !== "api" && root !== "apis") || parts.length < 2 + groups) {
    return { user, verb: method.toLowerCase(), path };
  }
  const group = groups === 1 ? (parts.shift() as string) : "";
  const version = parts.shift() as string;
  // In the oldest form of a watch or a proxy, the path contains the verb.
  const special =
    (parts[0] === "watch" || parts[0] === "proxy") && parts.length > 1 ? parts.shift() : undefined;
  const { namespace, parts: named } = splitNamespace(parts);
  const [resource = "", first = "", third = ""] = named;
  let verb = special ?? verbs[method] ?? "";
  let name = first;
  if (name === "" && verb === "get") {
    verb = flag(query, "watch") ? "watch" : "list";
    name = nameSelected(query);
  }
  if (name === "" && verb === "delete") verb = "deletecollection";
  const subresource = special === undefined ? third : "";
  return { user, verb, group, version, resource, subresource, namespace, name };
}

/**
 * Returns the object that a list or watch selects by name. A permission for that name alone then suffices.
 */
function nameSelected(query: URLSearchParams): string {
  const selector = query.get("fieldSelector") ?? "";
  if (!selector.includes("metadata.name")) return "";
  for (const term of selector.split(",")) {
    const [, name = ""] = /^metadata\.name==?([^!=\\]+)$/.exec(term) ?? [];
    if (name !== "") return isPathSegment(name).length === 0 ? name : "";
  }
  return "";
}
