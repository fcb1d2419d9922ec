import { connect } from "node:tls";
import type { Check } from "../../healthz/check.ts";

/** Milliseconds that a handshake with this server may take. */
const timeout = 10_000;

/** Returns a check that succeeds when a TLS server answers at the port. */
export function createStartedCheck(port: () => number | undefined, host = "localhost"): Check {
  return async () => {
    const at = port();
    if (at === undefined) throw new Error("webhook server has not been started yet");
    await new Promise<void>((resolve, reject) => {
      // Only checks that the server answers. Its certificate is for a name inside the cluster.
      const socket = connect({ port: at, host, rejectUnauthorized: false, timeout });
      const fail = (why: string) => {
        socket.destroy();
        reject(new Error(`webhook server is not reachable: ${why}`));
      };
      socket.on("error", (error) => fail(error.message));
      socket.on("timeout", () => fail(`no TLS handshake within ${timeout / 1000} s`));
      socket.on("secureConnect", () => {
        socket.end();
        resolve();
      });
    });
  };
}
