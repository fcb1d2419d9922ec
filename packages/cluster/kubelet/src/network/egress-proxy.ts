import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { splice } from "@operator-path/apiserver";
import type { PodNetwork } from "./pod-network.ts";

/** Connects a kube-apiserver in another process to the Pod network in this one. */
export interface EgressProxy {
  /** The EgressSelectorConfiguration, for kube-apiserver's --egress-selector-config-file. */
  readonly configuration: string;
  /** Routes connections into this network from now on. Earlier ones fail. */
  use(network: PodNetwork): void;
  stop(): Promise<void>;
}

/**
 * Starts an HTTP proxy (CONNECT only) on a Unix socket that only this user can open. A kube-apiserver
 * configured with it opens each connection to a Service, Pod or node through it: to webhooks, proxies and
 * kubelets. `localhost` is this machine, where the kubelets listen.
 */
export async function startEgressProxy(): Promise<EgressProxy> {
  // The path of a socket is limited to about 100 bytes, so the caller cannot choose its folder.
  const folder = await mkdtemp(join(tmpdir(), "operator-path-egress-"));
  const path = join(folder, "proxy");
  let network: PodNetwork | undefined;
  const open = new Set<Duplex>();

  async function dial(host: string, port: number): Promise<Duplex> {
    if (host !== "localhost" && host !== "127.0.0.1") {
      if (network === undefined) throw new Error("the cluster is starting");
      return network.dial(host, port);
    }
    const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true, noDelay: true });
    await once(socket, "connect");
    return socket;
  }

  const server = createServer((_message, response) => response.writeHead(405).end("CONNECT only\n"));
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("connect", (message, client, head) => {
    client.on("error", () => {});
    const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(message.url ?? "") ?? [];
    dial(host, Number(port)).then(
      (inside) => {
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        if (head.length > 0) client.unshift(head);
        void splice(client, inside);
      },
      (error: Error) => {
        const body = Buffer.from(`${error.message}\n`);
        client.end(`HTTP/1.1 502 Bad Gateway\r\nContent-Length: ${body.length}\r\n\r\n${error.message}\n`);
      },
    );
  });
  server.listen(path);
  await once(server, "listening");
  await chmod(path, 0o600);

  return {
    configuration: JSON.stringify({
      apiVersion: "apiserver.k8s.io/v1beta1",
      kind: "EgressSelectorConfiguration",
      egressSelections: [
        {
          name: "cluster",
          connection: { proxyProtocol: "HTTPConnect", transport: { uds: { udsName: path } } },
        },
      ],
    }),
    use(next) {
      network = next;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
