import type { ApiRequest } from "../http/request.ts";
import type { ResourceType } from "../types/resource-type.ts";

/** One request for one resource (RequestScope and RequestInfo of k8s.io/apiserver). */
export interface Scope {
  readonly type: ResourceType;
  /** Where the store keeps its objects. */
  readonly collection: string;
  readonly namespace: string;
  /** From the URL; empty for a collection. */
  readonly name: string;
  readonly subresource: string;
  readonly request: ApiRequest;
}
