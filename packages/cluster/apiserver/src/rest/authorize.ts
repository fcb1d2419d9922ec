import type { UserInfo } from "../auth/user.ts";
import { forbidden, quote } from "../errors.ts";
import type { ApiContext } from "./context.ts";
import type { ResourcePath } from "./request-info.ts";

/** @throws ApiStatusError 403 in the words of a real server */
export function authorizeResource(
  context: ApiContext,
  user: UserInfo,
  verb: string,
  path: ResourcePath,
): void {
  const { group, version, resource, subresource, namespace, name } = path;
  const { allowed, reason } = context.authorize({
    user,
    verb,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  });
  if (allowed) return;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${quote(namespace)}`;
  const why = `User ${quote(user.username)} cannot ${verb} resource ${quote(full)} in API group ${quote(group)} ${where}`;
  throw forbidden(group, full, name, reason === undefined ? why : `${why}: ${reason}`);
}

/** The same for paths that are no resources: discovery, OpenAPI. */
export function authorizePath(context: ApiContext, user: UserInfo, method: string, path: string): void {
  const verb = method.toLowerCase();
  const { allowed, reason } = context.authorize({ user, verb, path });
  if (allowed) return;
  const why = `User ${quote(user.username)} cannot ${verb} path ${quote(path)}`;
  throw forbidden("", "", "", reason === undefined ? why : `${why}: ${reason}`);
}
