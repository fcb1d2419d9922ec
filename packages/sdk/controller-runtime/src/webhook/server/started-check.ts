import { connect } from "node:tls";
import type { Check } from "../../healthz/check.ts";

/** How long a handshake with oneself may take, in milliseconds. */
const timeout = 10_000;

/** Healthy when somebody answers TLS at the port. */
export function createStartedCheck(port: () => number | undefined, host = "localhost"): Check {
  return async () => {
    const at = port();
    if (at === undefined) throw new Error("webhook server has not been started yet");
    await new Promise<void>((resolve, reject) => {
      // It is about whether somebody is there, not who: the certificate is for a name of the cluster's.
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
