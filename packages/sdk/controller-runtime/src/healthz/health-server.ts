import { createServer, type Server } from "node:http";
import type { Clock } from "@operator-path/client";
import { serverCloser } from "../http/close-server.ts";
import { listen } from "../http/listen.ts";
import { serverAddress } from "../http/server-address.ts";
import { errorFields } from "../log/error-fields.ts";
import type { Logger } from "../log/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import { untilAborted } from "../until-aborted.ts";
import { answerHealth } from "./answer.ts";
import { parseBindAddress } from "./bind-address.ts";
import type { Check } from "./check.ts";

export interface HealthServer extends Runnable {
  /** Returns "host:port" while the server listens. */
  address(): string | undefined;
}

/** Milliseconds that running checks have when the server stops. */
const patience = 5_000;

/**
 * Serves /healthz and /readyz, and nothing else.
 *
 * @throws TypeError when the bind address is invalid
 */
export function createHealthServer(
  bindAddress: string,
  checks: { healthz: ReadonlyMap<string, Check>; readyz: ReadonlyMap<string, Check> },
  log: Logger,
  clock: Clock,
): HealthServer {
  const at = parseBindAddress(bindAddress, "healthProbeBindAddress");
  const listening = Promise.withResolvers<void>();
  // Avoids an unhandled rejection: the runnable itself also rejects.
  listening.promise.catch(() => {});
  let server: Server | undefined;

  async function answer(method: string, url: string): Promise<{ status: number; body: string }> {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const [, endpoint, rest = ""] = /^\/(healthz|readyz)(\/.*)?$/.exec(pathname) ?? [];
    if (endpoint !== "healthz" && endpoint !== "readyz") return { status: 404, body: "404 page not found\n" };
    if (method !== "GET" && method !== "HEAD")
      return { status: 405, body: "only GET and HEAD are allowed\n" };
    return answerHealth(checks[endpoint], decodeURIComponent(rest), searchParams, (check, error) => {
      // A probe fails often, for example before the caches have synced. The stack is always that of the check.
      const { stacktrace: _, ...fields } = errorFields(error);
      log.info({ check, ...fields }, `${endpoint} check failed`);
    });
  }

  return {
    name: "health probe server",
    group: "httpServers",
    needLeaderElection: false,
    ready: () => listening.promise,
    address: () => serverAddress(server),
    async start(signal) {
      const own = createServer((request, response) => {
        answer(request.method ?? "GET", request.url ?? "/")
          .catch(() => ({ status: 400, body: "400 bad request\n" }))
          .then(({ status, body }) => {
            response.writeHead(status, {
              "content-type": "text/plain; charset=utf-8",
              "x-content-type-options": "nosniff",
            });
            response.end(body);
          });
      });
      const close = serverCloser(own);
      try {
        await listen(own, at);
      } catch (error) {
        const failure = new Error(
          `the health probe server cannot listen on ${bindAddress}: ${error instanceof Error ? error.message : error}; set healthProbeBindAddress to another port, or to "0" for none`,
          { cause: error },
        );
        listening.reject(failure);
        throw failure;
      }
      server = own;
      listening.resolve();
      await untilAborted(signal);
      await close({ clock, patience });
      server = undefined;
    },
  };
}
