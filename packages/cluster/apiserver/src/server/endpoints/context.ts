import type { Rbac } from "../../plugins/rbac/rbac.ts";
import type { AdmissionContext } from "../admission/admission.ts";
import type { Admission } from "../admission/chain.ts";
import type { TokenAuthenticator } from "../auth/tokens.ts";
import type { StrategyContext } from "../registry/strategy.ts";
import type { DialService, NodeConnection } from "../streaming/node-connection.ts";

/** What the handlers work with. Strategies, plugins and the decoder declare smaller contexts of their own. */
export interface ApiContext extends AdmissionContext, StrategyContext {
  /** The cluster's Roles and Bindings, also where `authorize` is not RBAC. */
  readonly rbac: Rbac;
  readonly admission: Admission;
  readonly tokens: TokenAuthenticator;
  readonly connectNode: (nodeName: string) => NodeConnection | undefined;
  readonly dialService: DialService | undefined;
  readonly log: (line: string) => void;
}
