import type * as http from "node:http";
import type * as https from "node:https";
import type { Socket } from "node:net";
import { connect } from "node:tls";
import { createAgent, keepAliveDelay } from "./agent.ts";
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
