import { ApiError, type Clock, type Status, type TransportRequest } from "@operator-path/client";
import { tooLarge } from "../server/statuses.ts";
import type { Fault } from "./fault.ts";

/** Returns a socket error as a transport reports it. */
export function socketError(request: TransportRequest, code: string, message: string): Error {
  return Object.assign(new Error(`${request.method} http://simulated${request.path}: ${message}`), { code });
}

export const page = "<html><head><title>Bad Gateway</title></head><body>nginx</body></html>\n";

const reasons: Record<number, string> = {
  403: "Forbidden",
  409: "Conflict",
  410: "Expired",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

export function statusOf(code: number, message = `injected ${code}`): Status {
  const reason = reasons[code] ?? "Unknown";
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code, reason, message };
}

/** Returns the error of a request that never reaches the server; undefined if it does reach it. */
export function refusalOf(fault: Fault | undefined, request: TransportRequest): Error | undefined {
  switch (fault?.kind) {
    case "status":
      return new ApiError(
        statusOf(fault.code),
        fault.retryAfter === undefined ? undefined : fault.retryAfter * 1_000,
      );
    case "too large":
      return tooLarge(Number(request.query?.resourceVersion ?? 0), 1);
    case "html": {
      if (fault.code < 400) return undefined;
      const message = `${request.method} ${request.path}: the server answered ${fault.code}: ${page}`;
      return new ApiError({ kind: "Status", apiVersion: "v1", status: "Failure", code: fault.code, message });
    }
    case "refused":
      return socketError(request, "ECONNREFUSED", "connect ECONNREFUSED");
    case "reset":
      return fault.committed ? undefined : socketError(request, "ECONNRESET", "socket hang up");
    default:
      return undefined;
  }
}

/** Rejects after 75 s without an answer, as every transport does. */
const timeout = 75_000;

export async function noAnswer(
  clock: Clock,
  request: TransportRequest,
  signal: AbortSignal | undefined,
): Promise<never> {
  await clock.sleep(timeout, signal);
  throw socketError(request, "ETIMEDOUT", `no answer for ${timeout / 1_000} s`);
}
