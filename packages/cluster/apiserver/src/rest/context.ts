import type { Admission } from "../admission/chain.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import type { Rbac } from "../auth/rbac/rbac.ts";
import type { TokenAuthenticator } from "../auth/tokens.ts";
import type { Clock } from "../clock.ts";
import type { DialService, NodeConnection } from "../connect/node-connection.ts";
import { qualified } from "../errors.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Store } from "../store/store.ts";
import type { TypeRegistry } from "../types/registry.ts";
import type { ResourceType } from "../types/resource-type.ts";
import type { WebhookClient } from "../webhooks/client.ts";

/** What every request handler works with. */
export interface ApiContext {
  readonly store: Store;
  readonly registry: TypeRegistry;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly authorize: Authorizer;
  /** The cluster's Roles and Bindings, whoever decides. */
  readonly rbac: Rbac;
  readonly admission: Admission;
  readonly webhooks: WebhookClient;
  readonly tokens: TokenAuthenticator;
  readonly connectNode: (nodeName: string) => NodeConnection | undefined;
  readonly dialService: DialService | undefined;
  readonly log: (line: string) => void;
}

/** One request for one resource. */
export interface Scope {
  readonly type: ResourceType;
  /** Where its objects are in the store. */
  readonly collection: string;
  readonly namespace: string;
  /** From the URL; empty for a collection. */
  readonly name: string;
  readonly subresource: string;
  readonly request: ApiRequest;
}

/** `pods`, `deployments.apps`: the same for all versions of a resource. */
export function collectionOf(type: { group: string; plural: string }): string {
  // core/v1 and events.k8s.io/v1 are two views of the same events.
  if (type.group === "events.k8s.io") return type.plural;
  return qualified(type.group, type.plural);
}

export function keyOf(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
