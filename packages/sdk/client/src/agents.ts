import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import { connect } from "node:tls";
import type { Clock } from "./clock.ts";
import { openTunnel } from "./proxy-tunnel.ts";

export interface ProxyAgentOptions {
  readonly proxy: URL;
  /** Whether to speak TLS with the server, inside the tunnel. */
  readonly secure: boolean;
  readonly clock: Clock;
}

/** Milliseconds for a proxy to open a tunnel, as in Go's net/http. */
const tunnelTimeout = 60_000;

/**
 * Returns an agent whose connections go through a proxy. It checks the server's certificate against the
 * server's own name or address. `destroy` also cancels tunnels that are still being opened.
 *
 * It is our own code because the libraries that were used before (hpagent, socks-proxy-agent) checked the
 * server's certificate for the wrong name behind SOCKS, resolved names on this machine, and waited for a
 * silent proxy for ever.
 */
export function createProxyAgent(
  options: https.AgentOptions,
  { proxy, secure, clock }: ProxyAgentOptions,
): http.Agent {
  const agent = createAgent(options, secure);
  const opening = new Set<AbortController>();
  const destroy = agent.destroy.bind(agent);

  async function open(target: https.RequestOptions): Promise<Socket> {
    const cancel = new AbortController();
    opening.add(cancel);
    const timedOut = new Error(`the proxy did not open a connection within ${tunnelTimeout / 1000} s`);
    const timer = clock.setTimeout(() => cancel.abort(timedOut), tunnelTimeout);
    try {
      const host = target.host ?? "";
      const tunnel = await openTunnel(proxy, { host, port: Number(target.port) }, cancel.signal);
      // The agent sets this only on connections that it opens itself.
      tunnel.setKeepAlive(true, keepAliveDelay);
      if (!secure) return tunnel;
      const { servername } = target;
      return connect({ ...options, ALPNProtocols: ["http/1.1"], host, servername, socket: tunnel });
    } finally {
      clock.clearTimeout(timer);
      opening.delete(cancel);
    }
  }

  return Object.assign(agent, {
    createConnection(target: https.RequestOptions, done: (error: Error | null, socket?: Socket) => void) {
      open(target).then((socket) => done(null, socket), done);
    },
    destroy() {
      for (const cancel of opening) cancel.abort(new Error("the client was closed"));
      destroy();
    },
  });
}

/**
 * Milliseconds of silence after which the kernel probes the other end of a connection, as in client-go. Node
 * sets ten probes, one per second. If none is answered, the connection ends with ETIMEDOUT.
 */
export const keepAliveDelay = 30_000;

/**
 * Returns an agent for one server. The agent that client-node sets is not used: it keeps no connection alive,
 * and keeps its first credentials for ever.
 */
export function createAgent(options: https.AgentOptions, secure: boolean): http.Agent {
  const agent = secure ? new https.Agent(options) : new http.Agent(options);
  // All its connections are alike. The name that Node would build for each request contains every certificate
  // as text.
  return Object.assign(agent, { getName: () => "server" });
}
