import * as http from "node:http";
import * as https from "node:https";
import { isDeepStrictEqual } from "node:util";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";
import { SocksProxyAgent } from "socks-proxy-agent";

/** What of a kubeconfig's answer (`applyToHTTPSOptions`) belongs to a connection, not to a request. */
const tlsFields = ["ca", "cert", "key", "pfx", "passphrase", "rejectUnauthorized", "servername"] as const;

export interface ConnectionOptions {
  secure: boolean;
  /** `proxy-url` of the kubeconfig: http, https or socks. */
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
    agentFor(auth: https.RequestOptions): http.Agent {
      const asked: https.AgentOptions = Object.fromEntries(tlsFields.map((field) => [field, auth[field]]));
      if (agent && isDeepStrictEqual(asked, credentials)) return agent;
      if (agent) retire(agent);
      credentials = asked;
      agent = createAgent(options, { keepAlive: true, ...asked });
      return agent;
    },
    close: () => agent?.destroy(),
  };
}

/** Not the one that client-node has made: that keeps no connection, and its first credentials for ever. */
function createAgent(
  { secure, proxyUrl: proxy }: ConnectionOptions,
  options: https.AgentOptions,
): http.Agent {
  if (!proxy) return secure ? new https.Agent(options) : new http.Agent(options);
  if (proxy.startsWith("socks")) return new SocksProxyAgent(proxy, options);
  return secure ? new HttpsProxyAgent({ ...options, proxy }) : new HttpProxyAgent({ ...options, proxy });
}

function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
