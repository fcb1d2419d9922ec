import * as http from "node:http";
import * as https from "node:https";
import { isDeepStrictEqual } from "node:util";

/** What of a kubeconfig's answer (`applyToHTTPSOptions`) belongs to a connection, not to a request. */
const tlsFields = ["ca", "cert", "key", "pfx", "passphrase", "rejectUnauthorized", "servername"] as const;

/**
 * One pool of kept-alive connections. When the credentials have changed (an exec plugin hands out a new client
 * certificate, say), new requests get new connections, and the old ones close as they fall idle.
 */
export function createConnections(options: { secure: boolean; proxied: boolean }) {
  let agent: http.Agent | undefined;
  let credentials: https.AgentOptions = {};

  return {
    agentFor(auth: https.RequestOptions): http.Agent {
      // client-node has made the agent that speaks to the proxy.
      if (options.proxied && auth.agent instanceof http.Agent) return auth.agent;
      const asked: https.AgentOptions = Object.fromEntries(tlsFields.map((field) => [field, auth[field]]));
      if (agent && isDeepStrictEqual(asked, credentials)) return agent;
      if (agent) retire(agent);
      credentials = asked;
      agent = options.secure
        ? new https.Agent({ keepAlive: true, ...asked })
        : new http.Agent({ keepAlive: true });
      return agent;
    },
    close: () => agent?.destroy(),
  };
}

function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
