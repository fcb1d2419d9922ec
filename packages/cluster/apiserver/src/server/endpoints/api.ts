import {
  badRequest,
  methodNotAllowed,
  methodNotSupported,
  notFound,
  pathNotFound,
  subresourceNotServed,
} from "../../apimachinery/errors.ts";
import type { Reply } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";
import { flag } from "../registry/options.ts";
import type { Scope } from "../registry/scope.ts";
import type { View } from "../registry/view.ts";
import { createViews } from "../registry/views.ts";
import { collectionOf } from "../storage/keys.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";
import { handleCreate } from "./create.ts";
import { type DeleteContext, handleDelete, handleDeleteCollection } from "./delete.ts";
import { handleGet } from "./get.ts";
import { handleList } from "./list.ts";
import { handlePatch, type PatchContext } from "./patch.ts";
import { parseResourcePath, type ResourcePath, verbOf } from "./request-info.ts";
import { handleUpdate } from "./update.ts";
import { handleWatch, type WatchContext } from "./watch.ts";

/** The parts of the server that the generic verbs use. */
interface ApiContext extends PatchContext, DeleteContext, WatchContext {}

/** Answers a request instead of the generic verbs. */
export type Handler = (scope: Scope, view: View, verb: string) => Promise<Reply>;

/**
 * Returns the handler of a resource that is not stored (subresource ""), or of a subresource other than
 * status. Returns undefined if no such handler exists.
 */
export type HandlerLookup = (type: ResourceType, subresource: string) => Handler | undefined;

export interface RestApi {
  /** Answers a request, or returns undefined if the path is not that of a resource. */
  handle(request: ApiRequest): Promise<Reply> | undefined;
  /** Returns what a path names. The request must have been authorized. @throws ApiStatusError 404 or 405 */
  resolve(request: ApiRequest): { scope: Scope; view: View } | undefined;
}

/** Returns the API under /api/v1 and /apis/{group}/{version}. */
export function createRestApi(context: ApiContext, handlerOf: HandlerLookup): RestApi {
  const viewOf = createViews(() => context.registry.resources(), context.kindOf);

  function resolve(request: ApiRequest): { scope: Scope; view: View; verb: string } | undefined {
    const path = parseResourcePath(request.segments);
    if (path === undefined) return undefined;
    const type = context.registry.find(path.group, path.version, path.resource);
    if (type === undefined) {
      if (context.registry.isBuiltIn(path.group, path.version)) throw pathNotFound();
      return undefined;
    }
    const verb = verbOf(request.method, path, flag(request.query, "watch") ?? false);
    if (type.custom !== undefined && isOutOfScope(type, path, verb)) return undefined;
    checkScope(context.registry, type, path);
    if (verb === "") throw methodNotAllowed();
    const namespace = type.namespaced ? path.namespace : "";
    const { name, subresource } = path;
    return {
      scope: { type, collection: collectionOf(type), namespace, name, subresource, request },
      view: viewOf(type),
      verb,
    };
  }

  /** Returns the handler of a subresource. @throws ApiStatusError 404 or 405 */
  function subresourceHandler(type: ResourceType, subresource: string, verb: string): Handler {
    const known = type.subresourceTypes.find(({ name }) => name === subresource);
    if (known === undefined) throw pathNotFound();
    if (!known.verbs.includes(verb)) throw methodNotAllowed();
    const handler = handlerOf(type, subresource);
    if (handler === undefined) throw pathNotFound();
    return handler;
  }

  async function dispatch(scope: Scope, view: View, verb: string): Promise<Reply> {
    const { type, subresource } = scope;
    if (type.deprecationWarning !== undefined) scope.request.warn(type.deprecationWarning);
    const unstored = handlerOf(type, "");
    if (unstored !== undefined) return unstored(scope, view, verb);
    if (subresource !== "" && subresource !== "status") {
      return subresourceHandler(type, subresource, verb)(scope, view, verb);
    }
    if (subresource === "" && !type.verbs.includes(verb)) {
      throw methodNotSupported(type.group, type.plural, verb);
    }
    switch (verb) {
      case "get":
        return handleGet(context, scope, view);
      case "list":
        return handleList(context, scope, view);
      case "watch":
        return handleWatch(context, scope, view);
      case "create":
        if (scope.name !== "" || (type.namespaced && scope.namespace === "")) throw methodNotAllowed();
        return handleCreate(context, scope, view);
      case "update":
        if (scope.name === "") throw methodNotAllowed();
        return handleUpdate(context, scope, view);
      case "patch":
        if (scope.name === "") throw methodNotAllowed();
        return handlePatch(context, scope, view);
      case "delete":
        if (subresource !== "") throw methodNotAllowed();
        return handleDelete(context, scope, view);
      case "deletecollection":
        return handleDeleteCollection(context, scope, view);
      default:
        throw methodNotAllowed();
    }
  }

  return {
    handle(request) {
      const resolved = resolve(request);
      if (resolved === undefined) return undefined;
      const { scope, view, verb } = resolved;
      return dispatch(scope, view, verb);
    },
    resolve,
  };
}

/**
 * Returns whether a path has a namespace and its resource does not, or the reverse. Lists and watches may
 * omit the namespace.
 */
function isOutOfScope({ namespaced }: ResourceType, { namespace }: ResourcePath, verb: string): boolean {
  if (!namespaced) return namespace !== "";
  return namespace === "" && verb !== "list" && verb !== "watch";
}

/** Checks that the path matches the scope of its resource. @throws ApiStatusError 400, 404 or 405 */
function checkScope(
  registry: Pick<TypeRegistry, "isUnserved">,
  type: ResourceType,
  path: ResourcePath,
): void {
  if (path.subresource !== "" && path.name === "") throw badRequest("name must be provided");
  const ownNamespace = path.resource === "namespaces";
  if (!type.namespaced && path.namespace !== "" && !ownNamespace) throw pathNotFound();
  if (type.namespaced && path.namespace === "" && path.name !== "") throw pathNotFound();
  if (path.subresource === "" || type.subresources.includes(path.subresource)) return;
  if (type.custom !== undefined) throw notFound(type.group, type.plural, path.name);
  const subresource = `${path.resource}/${path.subresource}`;
  throw registry.isUnserved(subresource) ? subresourceNotServed(subresource) : pathNotFound();
}
