import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TlsOptions } from "node:tls";
import { KubeConfig } from "@kubernetes/client-node";
import { expect, onTestFinished } from "vitest";
import { createServingCertificate } from "../../certificates/authority.ts";
import { createClient } from "../../client.ts";
import type { ApiError } from "../../errors.ts";

/** Starts a server. The end of the test closes it. */
export async function listen(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  return { server, url: `http://127.0.0.1:${await portOf(server)}` };
}

/** Starts a TLS server. Returns its authority in base64, for the kubeconfig. */
export async function listenTls(
  listener: RequestListener,
  { names = ["127.0.0.1"], ...options }: TlsOptions & { names?: readonly string[] } = {},
): Promise<{ url: string; caData: string }> {
  const { certificate: cert, privateKey: key, caCertificate } = createServingCertificate(names, Date.now());
  const server = createTlsServer({ cert, key, ...options }, listener);
  const url = `https://127.0.0.1:${await portOf(server)}`;
  return { url, caData: Buffer.from(caCertificate).toString("base64") };
}

async function portOf(server: Server): Promise<number> {
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Returns a client over TLS. The client sends no credentials over plain HTTP. */
export async function secureClientOf(listener: RequestListener) {
  const { url, caData } = await listenTls(listener);
  return createClient(kubeConfigOf(url, { caData, skipTLSVerify: false }));
}

/** Returns a kubeconfig whose user has a token. */
export function kubeConfigOf(
  url: string,
  cluster: { caData?: string; skipTLSVerify?: boolean; tlsServerName?: string } = {},
): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser(
    { name: "test", server: url, skipTLSVerify: true, ...cluster },
    { name: "me", token: "t0ken" },
  );
  return kubeConfig;
}

export const thrownBy = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => expect.fail("nothing was thrown"),
    (error) => error,
  );
