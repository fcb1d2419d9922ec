import { Server as HttpServer } from "node:http";
import { Server as HttpsServer } from "node:https";
import type { Server } from "node:net";
import type { DevHost, ListenAt } from "./host.ts";
import type { FromOperator, ToOperator } from "./messages.ts";

export interface Supervision {
  send(message: FromOperator, handle?: unknown): void;
  /**
   * Keeps this process alive until the returned function is called. Nothing else may be pending during the
   * wait.
   */
  hold(): () => void;
  /** Calls the listener with each message from the supervisor. */
  onMessage(listener: (message: ToOperator, handle: unknown) => void): void;
}

/** The operator's side of the channel to the supervisor. */
export function createOperatorHost(identity: string, { send, hold, onMessage }: Supervision): DevHost {
  const leases = new Set<string>();
  const claims = new Map<string, number>();
  const asked = new Map<string, (handle: unknown) => void>();
  onMessage((message, handle) => {
    if (message.type === "listener") asked.get(message.key)?.(handle);
  });

  /** Servers with the same address (any port) are distinguished by their order. */
  function keyOf({ host = "", port }: ListenAt): string {
    const place = `${host}:${port}`;
    const count = claims.get(place) ?? 0;
    claims.set(place, count + 1);
    return `${place} ${count}`;
  }

  return {
    leaderIdentity(lease) {
      if (leases.has(lease)) return undefined;
      leases.add(lease);
      return identity;
    },
    report: (event) => send({ type: "manager", event }),
    async listen(server, at) {
      const key = keyOf(at);
      const release = hold();
      const handle = await new Promise<unknown>((resolve) => {
        asked.set(key, resolve);
        send({ type: "claim", key });
      });
      release();
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(handle ?? at, resolve);
      });
      // A kept-alive connection could close while the caller sends its next request.
      if (server instanceof HttpServer || server instanceof HttpsServer) server.maxRequestsPerSocket = 1;
      if (!handle) send({ type: "keep", key }, handleOf(server));
    },
  };
}

/** As Node's cluster module shares it between processes. */
const handleOf = (server: Server) => (server as unknown as { _handle?: unknown })._handle;
