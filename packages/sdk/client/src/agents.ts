import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import { connect } from "node:tls";
import type { Clock } from "./clock.ts";
import { openTunnel } from "./proxy-tunnel.ts";

export interface ProxyAgentOptions {
  readonly proxy: URL;
  /** TLS is spoken with the server, inside of the tunnel. */
  readonly secure: boolean;
  readonly clock: Clock;
}

/** Milliseconds for a proxy to open a tunnel, as with Go's net/http. */
const tunnelPatience = 60_000;

/**
 * An agent whose connections go through a proxy. The server's certificate is checked for the server's own name or address. `destroy` ends
 * also what is being opened.
 */
export function createProxyAgent(options: https.AgentOptions, o: ProxyAgentOptions): http.Agent {
  const agent = createAgent(options, o.secure);
  const opening = new Set<AbortController>();
  const destroy = agent.destroy.bind(agent);

  async function open(asked: https.RequestOptions): Promise<Socket> {
    const ended = new AbortController();
    opening.add(ended);
    const late = new Error(`the proxy has opened no connection for ${tunnelPatience / 1000} s`);
    const timer = o.clock.setTimeout(() => ended.abort(late), tunnelPatience);
    try {
      const host = asked.host ?? "";
      const tunnel = await openTunnel(o.proxy, { host, port: Number(asked.port) }, ended.signal);
      // The agent sets this on connections that it opens itself.
      tunnel.setKeepAlive(true, keepAliveDelay);
      if (!o.secure) return tunnel;
      const { servername } = asked;
      return connect({ ...options, ALPNProtocols: ["http/1.1"], host, servername, socket: tunnel });
    } finally {
      o.clock.clearTimeout(timer);
      opening.delete(ended);
    }
  }

  return Object.assign(agent, {
    createConnection(asked: https.RequestOptions, made: (error: Error | null, socket?: Socket) => void) {
      open(asked).then((socket) => made(null, socket), made);
    },
    destroy() {
      for (const ended of opening) ended.abort(new Error("the client was closed"));
      destroy();
    },
  });
}

/**
 * Milliseconds of silence after which the kernel probes the other end of a connection, as in client-go. Node probes ten times,
 * once a second. Then the connection ends with ETIMEDOUT.
 */
export const keepAliveDelay = 30_000;

/** An agent of one server. Not the one that client-node has made: that keeps no connection, and its first credentials for ever. */
export function createAgent(options: https.AgentOptions, secure: boolean): http.Agent {
  const agent = secure ? new https.Agent(options) : new http.Agent(options);
  // Its connections are all alike: the name that Node makes for each request holds every certificate as text.
  return Object.assign(agent, { getName: () => "server" });
}
