import type { Server } from "node:net";

/** `host:port` where a server listens, an IPv6 host in brackets; undefined while it does not. */
export function serverAddress(server: Server | undefined): string | undefined {
  const address = server?.address();
  if (!address || typeof address === "string") return undefined;
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}
