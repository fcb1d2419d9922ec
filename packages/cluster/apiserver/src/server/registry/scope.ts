import type { ApiRequest } from "../http/request.ts";
import type { ResourceType } from "../types/resource-type.ts";

/** One request for one resource (RequestScope and RequestInfo of k8s.io/apiserver). */
export interface Scope {
  readonly type: ResourceType;
  /** The collection of its objects in the store. */
  readonly collection: string;
  readonly namespace: string;
  /** From the URL. Empty for a collection. */
  readonly name: string;
  readonly subresource: string;
  readonly request: ApiRequest;
}
