import type { Server } from "node:net";

/**
 * Returns `host:port` of a listening server, with an IPv6 host in brackets, or undefined when it does not
 * listen.
 */
export function serverAddress(server: Server | undefined): string | undefined {
  const address = server?.address();
  if (!address || typeof address === "string") return undefined;
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}
