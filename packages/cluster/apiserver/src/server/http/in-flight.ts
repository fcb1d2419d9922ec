import { tooManyRequests } from "../../apimachinery/errors.ts";
import { type ByteBudget, createByteBudget } from "./byte-budget.ts";
import { createPacer, type Pacer } from "./pacer.ts";

/** Limits of concurrent work. A request beyond a limit gets a 429 with Retry-After. */
export interface RequestLimits {
  /** The most concurrent requests, without long-running ones. Default: 1,500. */
  requests?: number;
  /** The most watches, log streams, proxied responses, execs and port-forwards. Default: 8,000. */
  longRunning?: number;
  /** The most bytes of request bodies that are received or handled. Default: 64 MiB. */
  bodyBytes?: number;
  /** The most bytes of large responses that are encoded for one client alone and unread. Default: 128 MiB. */
  copyBytes?: number;
  /**
   * Milliseconds after which a client that does not read its list or watch is disconnected. Default: 60 s.
   */
  stallTimeout?: number;
}

/** One request's share of the limits. */
export interface Flight {
  /** Counts the request as long-running from now on. @throws ApiStatusError 429 */
  goOn(): void;
  leave(): void;
}

export interface InFlight {
  readonly bodies: ByteBudget;
  readonly copies: ByteBudget;
  readonly pacer: Pacer;
  readonly stallTimeout: number;
  /** Counts a request. @throws ApiStatusError 429 */
  enter(): Flight;
}

const mebibyte = 1024 * 1024;

export function createInFlight(limits: RequestLimits = {}): InFlight {
  const { requests = 1_500, longRunning = 8_000, stallTimeout = 60_000 } = limits;
  const { bodyBytes = 64 * mebibyte, copyBytes = 128 * mebibyte } = limits;
  const present = { requests: 0, longRunning: 0 };
  const most = { requests, longRunning };

  function take(kind: keyof typeof present): void {
    if (present[kind] >= most[kind]) throw tooBusy();
    present[kind]++;
  }

  return {
    bodies: createByteBudget(bodyBytes),
    copies: createByteBudget(copyBytes),
    pacer: createPacer(),
    stallTimeout,
    enter() {
      let kind: keyof typeof present | undefined = "requests";
      take(kind);
      const leave = () => {
        if (kind !== undefined) present[kind]--;
        kind = undefined;
      };
      return {
        goOn() {
          leave();
          take("longRunning");
          kind = "longRunning";
        },
        leave,
      };
    },
  };
}

/** Returns kube-apiserver's error for too many requests in flight. Clients retry after one second. */
export function tooBusy(): Error {
  return tooManyRequests("Too many requests, please try again later.", 1);
}
