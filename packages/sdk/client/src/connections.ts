import type * as http from "node:http";
import type * as https from "node:https";
import { isDeepStrictEqual } from "node:util";
import { createAgent } from "./agent.ts";
import type { Clock } from "./clock.ts";
import { createProxyAgent } from "./proxy-agent.ts";

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

  return {
    agentFor(auth: https.RequestOptions): http.Agent {
      const asked: https.AgentOptions = Object.fromEntries(tlsFields.map((field) => [field, auth[field]]));
      if (agent && isSame(asked, credentials)) return agent;
      if (agent) retire(agent);
      credentials = asked;
      const all = { keepAlive: true, ...asked };
      agent = proxy ? createProxyAgent(all, { proxy, secure, clock }) : createAgent(all, secure);
      return agent;
    },
    close: () => agent?.destroy(),
  };
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
