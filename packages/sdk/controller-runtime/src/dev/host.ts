import type { Server } from "node:net";

/** The state that a manager reports. */
export type ManagerEvent =
  /** Everything has started, and this process leads. */
  | { state: "ready" }
  /** Everything that needs no leader has started, and another process holds the Lease. */
  | { state: "waiting"; lease: string; holder: string }
  /** This process has lost the Lease. */
  | { state: "lost" };

/** The interface of `operator-dev` to the operator that it runs. undefined without operator-dev. */
export interface DevHost {
  /**
   * Returns the identity for a Lease, the same after each restart. So the successor of a process that died
   * without releasing the Lease takes it at once and need not wait for it to expire. Returns undefined for
   * the second caller in this process: two candidates with one identity would both lead.
   */
  leaderIdentity(lease: string): string | undefined;
  report(event: ManagerEvent): void;
  /**
   * Like `server.listen`, on a socket that outlives this process. Connections made between two processes wait
   * for the next one instead of being refused.
   */
  listen(server: Server, at: ListenAt): Promise<void>;
}

export interface ListenAt {
  host?: string;
  port: number;
}

// Shared by the process, because the operator may load its own copy of this package.
const place = Symbol.for("@operator-path/controller-runtime/dev-host");
const globals = globalThis as { [place]?: DevHost };

export const devHost = (): DevHost | undefined => globals[place];

export function installDevHost(host: DevHost): void {
  globals[place] = host;
}
