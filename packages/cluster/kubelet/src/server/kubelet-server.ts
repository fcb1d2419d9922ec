import { once } from "node:events";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAuthority, type KeyPair } from "@operator-path/client/certificates";
import { createConnectionPair } from "../network/connections.ts";
import type { KubeletApi } from "./kubelet-api.ts";

/** The kubelet's HTTPS API of one node. */
export interface KubeletServer {
  /** The port on 127.0.0.1. */
  readonly port: number;
  /** Starts to serve this API. Earlier requests get 503. */
  serve(api: KubeletApi): void;
  stop(): Promise<void>;
}

/**
 * Listens on a free port of 127.0.0.1. The TLS handshake accepts only the client certificate of the
 * credentials, so another process that finds the port cannot send requests.
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

/** Returns a function that connects to the same API in memory, for an API server in this process. */
export function createLocalApi(api: KubeletApi): () => Promise<Duplex> {
  // The server never listens. It receives connections as events.
  const server = createPlainServer(api.request);
  server.on("upgrade", api.upgrade);
  return async () => {
    const [near, far] = createConnectionPair();
    server.emit("connection", far);
    return near;
  };
}

/** The certificates of a cluster's kubelets and its API server, in PEM. */
export interface KubeletCredentials {
  /** For kube-apiserver's --kubelet-certificate-authority. */
  caCertificate: string;
  /** For --kubelet-client-certificate. It allows commands in every Pod. */
  clientCertificate: string;
  /** For --kubelet-client-key. */
  clientKey: string;
  /** The nodes' serving certificate. */
  serving: KeyPair;
}

/**
 * Creates a certificate authority for the connection between API server and kubelets, and one certificate for
 * each side. The authority's key is discarded, so it never signs another certificate. The certificates are valid
 * for ten years, because they are never renewed, and from a year before `now`, in case the machine's clock is set
 * back.
 *
 * @param now milliseconds since 1970
 */
export function createKubeletCredentials(now = Date.now()): KubeletCredentials {
  const year = 365 * 24 * 3_600_000;
  const [from, validity] = [now - year, 11 * year];
  const authority = createAuthority("operator-path-kubelet-ca", from, validity);
  const client = authority.issueClient("kube-apiserver-kubelet-client", from, validity);
  return {
    caCertificate: authority.certificate,
    clientCertificate: client.certificate,
    clientKey: client.privateKey,
    serving: authority.issueServing(["localhost", "127.0.0.1"], from, validity),
  };
}
