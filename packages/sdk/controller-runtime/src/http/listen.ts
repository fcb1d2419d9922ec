import type { Server } from "node:net";
import { devHost, type ListenAt } from "../dev/host.ts";

/** Resolves when the server listens. Rejects when it cannot. */
export function listen(server: Server, at: ListenAt): Promise<void> {
  return devHost()?.listen(server, at) ?? listenHere(server, at);
}

function listenHere(server: Server, at: ListenAt): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(at, resolve);
  });
}
