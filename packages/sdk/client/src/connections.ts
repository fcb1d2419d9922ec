import type * as http from "node:http";
import type * as https from "node:https";
import { isDeepStrictEqual } from "node:util";
import { createAgent, createProxyAgent, keepAliveDelay } from "./agents.ts";
import type { Clock } from "./clock.ts";

/** The options from `applyToHTTPSOptions` that belong to a connection and not to a request. */
const tlsFields = ["ca", "cert", "key", "pfx", "passphrase", "rejectUnauthorized", "servername"] as const;

export interface ConnectionOptions {
  secure: boolean;
  proxy: URL | undefined;
  clock: Clock;
}

/**
 * Creates a pool of kept-alive connections, through the proxy if there is one. When the TLS credentials
 * change, for example because an exec plugin returns a new client certificate, new requests get new
 * connections. The old ones close when they become idle.
 */
export function createConnections({ secure, proxy, clock }: ConnectionOptions) {
  let agent: http.Agent | undefined;
  let credentials: https.AgentOptions = {};
  const newAgent = (options: https.AgentOptions): http.Agent =>
    proxy ? createProxyAgent(options, { proxy, secure, clock }) : createAgent(options, secure);

  return {
    agentFor(auth: https.RequestOptions): http.Agent {
      const current = tlsOf(auth);
      if (agent && isSame(current, credentials)) return agent;
      if (agent) retire(agent);
      credentials = current;
      agent = newAgent({ keepAlive: true, keepAliveMsecs: keepAliveDelay, ...current });
      return agent;
    },
    /** Returns an agent for one connection outside the pool. Destroy it if the connection fails. */
    dedicatedAgent: (auth: https.RequestOptions): http.Agent => newAgent(tlsOf(auth)),
    close: () => agent?.destroy(),
  };
}

function tlsOf(auth: https.RequestOptions): https.AgentOptions {
  return Object.fromEntries(tlsFields.map((field) => [field, auth[field]]));
}

/** Compares by reference first: unchanged credentials are usually the same objects. */
function isSame(a: https.AgentOptions, b: https.AgentOptions): boolean {
  return tlsFields.every((field) => a[field] === b[field]) || isDeepStrictEqual(a, b);
}

function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
