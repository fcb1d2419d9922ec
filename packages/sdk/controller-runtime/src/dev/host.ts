import type { Server } from "node:net";

/** What a manager tells of itself. */
export type ManagerEvent =
  /** Everything has started, and it leads. */
  | { state: "ready" }
  /** Everything that needs no leader has started, and somebody else holds the Lease. */
  | { state: "waiting"; lease: string; holder: string }
  /** It led, and may no longer. */
  | { state: "lost" };

/** What `operator-dev` is to the operator that it runs; there is none otherwise. */
export interface DevHost {
  /**
   * As whom to compete for a Lease, the same after each restart: who comes after a process that has died without giving
   * the Lease back takes it at once, and does not wait for it to expire. Undefined for the second that asks in this
   * process: two of one name would both lead.
   */
  leaderIdentity(lease: string): string | undefined;
  report(event: ManagerEvent): void;
  /**
   * As `server.listen`, on a socket that outlives this process: what connects between two processes waits for the next
   * one, and is not refused.
   */
  listen(server: Server, at: ListenAt): Promise<void>;
}

export interface ListenAt {
  host?: string;
  port: number;
}

// Of the process, not of this module: the operator may have a copy of this package of its own.
const place = Symbol.for("@operator-path/controller-runtime/dev-host");
const globals = globalThis as { [place]?: DevHost };

export const devHost = (): DevHost | undefined => globals[place];

export function installDevHost(host: DevHost): void {
  globals[place] = host;
}
