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
