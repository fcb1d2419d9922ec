import type * as http from "node:http";
import type * as https from "node:https";
import { isDeepStrictEqual } from "node:util";
import { createAgent, createProxyAgent, keepAliveDelay } from "./agents.ts";
import type { Clock } from "./clock.ts";

/** What of a kubeconfig's answer (`applyToHTTPSOptions`) belongs to a connection, not to a request. */
const tlsFields = ["ca", "cert", "key", "pfx", "passphrase", "rejectUnauthorized", "servername"] as const;

export interface ConnectionOptions {
  secure: boolean;
  proxy: URL | undefined;
  clock: Clock;
}

/**
 * One pool of kept-alive connections, through the proxy if there is one. When the credentials have changed (an exec plugin hands out a new client
 * certificate, say), new requests get new connections, and the old ones close as they fall idle.
 */
export function createConnections({ secure, proxy, clock }: ConnectionOptions) {
  let agent: http.Agent | undefined;
  let credentials: https.AgentOptions = {};
  const newAgent = (options: https.AgentOptions): http.Agent =>
    proxy ? createProxyAgent(options, { proxy, secure, clock }) : createAgent(options, secure);

  return {
    agentFor(auth: https.RequestOptions): http.Agent {
      const asked = tlsOf(auth);
      if (agent && isSame(asked, credentials)) return agent;
      if (agent) retire(agent);
      credentials = asked;
      agent = newAgent({ keepAlive: true, keepAliveMsecs: keepAliveDelay, ...asked });
      return agent;
    },
    /** An agent for one connection of its own, which is in no pool. Destroy it when the connection is there, or given up. */
    dedicatedAgent: (auth: https.RequestOptions): http.Agent => newAgent(tlsOf(auth)),
    close: () => agent?.destroy(),
  };
}

function tlsOf(auth: https.RequestOptions): https.AgentOptions {
  return Object.fromEntries(tlsFields.map((field) => [field, auth[field]]));
}

/** Mostly the very same bytes. */
function isSame(a: https.AgentOptions, b: https.AgentOptions): boolean {
  return tlsFields.every((field) => a[field] === b[field]) || isDeepStrictEqual(a, b);
}

function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
