import * as http from "node:http";
import * as https from "node:https";
import { isDeepStrictEqual } from "node:util";
import { type CreateAgent, proxyAgents } from "./proxy.ts";

/** What of a kubeconfig's answer (`applyToHTTPSOptions`) belongs to a connection, not to a request. */
const tlsFields = ["ca", "cert", "key", "pfx", "passphrase", "rejectUnauthorized", "servername"] as const;

export interface ConnectionOptions {
  secure: boolean;
  /** http, https or socks. */
  proxyUrl?: string;
}

/**
 * One pool of kept-alive connections, through the proxy if there is one. When the credentials have changed (an exec plugin hands out a new client
 * certificate, say), new requests get new connections, and the old ones close as they fall idle.
 */
export function createConnections(options: ConnectionOptions) {
  let agent: http.Agent | undefined;
  let credentials: https.AgentOptions = {};

  return {
    async agentFor(auth: https.RequestOptions): Promise<http.Agent> {
      const createAgent = options.proxyUrl
        ? await proxyAgents(options.proxyUrl, options)
        : directAgents(options);
      const asked: https.AgentOptions = Object.fromEntries(tlsFields.map((field) => [field, auth[field]]));
      if (agent && isSame(asked, credentials)) return agent;
      if (agent) retire(agent);
      credentials = asked;
      agent = createAgent({ keepAlive: true, ...asked });
      return agent;
    },
    close: () => agent?.destroy(),
  };
}

/** Mostly the very same bytes. */
function isSame(a: https.AgentOptions, b: https.AgentOptions): boolean {
  return tlsFields.every((field) => a[field] === b[field]) || isDeepStrictEqual(a, b);
}

/** Not the one that client-node has made: that keeps no connection, and its first credentials for ever. */
const directAgents =
  ({ secure }: ConnectionOptions): CreateAgent =>
  (options) => {
    const agent = secure ? new https.Agent(options) : new http.Agent(options);
    // Its connections are all alike: the name that Node makes for each request holds every certificate as text.
    return Object.assign(agent, { getName: () => "server" });
  };

function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
