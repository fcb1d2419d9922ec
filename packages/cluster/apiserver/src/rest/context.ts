import type { Admission } from "../admission/chain.ts";
import type { Authorizer } from "../auth/authorizer.ts";
import type { Rbac } from "../auth/rbac/rbac.ts";
import type { TokenAuthenticator } from "../auth/tokens.ts";
import type { Clock } from "../clock.ts";
import type { DialService, NodeConnection } from "../connect/node-connection.ts";
import type { Store } from "../store/store.ts";
import type { TypeRegistry } from "../types/registry.ts";
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
