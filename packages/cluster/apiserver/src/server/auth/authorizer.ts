import { type ApiStatusError, forbidden, quote } from "../../apimachinery/errors.ts";
import type { UserInfo } from "./user.ts";

/** The access that a user requests: authorization/v1 ResourceAttributes, or a path that is not a resource. */
export interface AccessAttributes {
  user: UserInfo;
  /**
   * get, list, watch, create, update, patch, delete or deletecollection. For other paths the method in lower
   * case.
   */
  verb: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  namespace?: string;
  name?: string;
  /** Set only for a path that is not a resource. */
  path?: string;
}

export interface AccessDecision {
  allowed: boolean;
  /** For people. Part of the message of a refusal. */
  reason?: string;
}

export type Authorizer = (attributes: AccessAttributes) => AccessDecision;

/** Returns the refusal of an authorizer (responsewriters.ForbiddenStatusError). */
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

/** Escapes HTML: no part of a refusal may look like it. */
function sanitize(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
