import { once } from "node:events";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAuthority, type KeyPair } from "@operator-path/apiserver";
import { createConnectionPair } from "../network/connections.ts";
import type { KubeletApi } from "./kubelet-api.ts";

/** The kubelet's HTTPS API of one node. */
export interface KubeletServer {
  /** On 127.0.0.1. */
  readonly port: number;
  /** The API answers from now on; requests before that are refused with 503. */
  serve(api: KubeletApi): void;
  stop(): Promise<void>;
}

/**
 * Listens on a free port of 127.0.0.1. Only the client certificate of the credentials is let in, during the TLS handshake: a
 * process of this machine that finds the port can ask for nothing.
 */
export async function startKubeletServer(credentials: KubeletCredentials): Promise<KubeletServer> {
  let api: KubeletApi | undefined;
  const sockets = new Set<Duplex>();
  const server = createServer({
    key: credentials.serving.privateKey,
    cert: credentials.serving.certificate,
    ca: credentials.caCertificate,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    handshakeTimeout: 10_000,
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("request", (message, response) => {
    if (api) api.request(message, response);
    else response.writeHead(503).end("the node is starting");
  });
  server.on("upgrade", (message, socket, head) => {
    if (api) api.upgrade(message, socket, head);
    else socket.end("HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    serve(next) {
      api = next;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/**
 * Returns the same API for an API server in this process, over connections in memory that no other process can open.
 */
export function createLocalApi(api: KubeletApi): () => Promise<Duplex> {
  // Never listens: connections are handed to it.
  const server = createPlainServer(api.request);
  server.on("upgrade", api.upgrade);
  return async () => {
    const [near, far] = createConnectionPair();
    server.emit("connection", far);
    return near;
  };
}

/** What the kubelets of a cluster and its API server know each other by. All PEM. */
export interface KubeletCredentials {
  /** kube-apiserver's --kubelet-certificate-authority. */
  caCertificate: string;
  /** --kubelet-client-certificate: who shows it may run commands in every Pod. */
  clientCertificate: string;
  /** --kubelet-client-key. */
  clientKey: string;
  /** Of the nodes themselves. */
  serving: KeyPair;
}

/**
 * Makes an authority of its own for the connection between API server and kubelets, and one certificate for each side. No
 * other certificate will ever be signed by it: its key is forgotten here.
 */
export function createKubeletCredentials(now = new Date()): KubeletCredentials {
  const authority = createAuthority("operator-path-kubelet-ca", now);
  const client = authority.issueClient("kube-apiserver-kubelet-client");
  return {
    caCertificate: authority.certificate,
    clientCertificate: client.certificate,
    clientKey: client.privateKey,
    serving: authority.issueServing("kubelet", ["localhost", "127.0.0.1"]),
  };
}
