import { type ApiStatusError, forbidden, quote } from "../../apimachinery/errors.ts";
import type { UserInfo } from "./user.ts";

/** What somebody wants to do: authorization/v1 ResourceAttributes, or a path outside of the resources. */
export interface AccessAttributes {
  user: UserInfo;
  /** get, list, watch, create, update, patch, delete, deletecollection; for other paths the method in lower case. */
  verb: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  namespace?: string;
  name?: string;
  /** Only where it is no resource. */
  path?: string;
}

export interface AccessDecision {
  allowed: boolean;
  /** For people; goes into the message of a refusal. */
  reason?: string;
}

export type Authorizer = (attributes: AccessAttributes) => AccessDecision;

/** The refusal of an authorizer (responsewriters.ForbiddenStatusError). */
export function accessDenied(attributes: AccessAttributes, reason = ""): ApiStatusError {
  const {
    user,
    verb,
    path,
    resource = "",
    subresource = "",
    group = "",
    namespace = "",
    name = "",
  } = attributes;
  const who = `User ${quote(user.username)} cannot ${verb}`;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${quote(namespace)}`;
  const what =
    path === undefined
      ? `${who} resource ${quote(full)} in API group ${quote(group)} ${where}`
      : `${who} path ${quote(path)}`;
  return forbidden(group, resource, name, reason === "" ? sanitize(what) : `${sanitize(what)}: ${reason}`);
}

/** Nothing in a refusal looks like HTML. */
function sanitize(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
