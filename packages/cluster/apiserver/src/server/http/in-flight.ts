import { tooManyRequests } from "../../apimachinery/errors.ts";
import { type ByteBudget, createByteBudget } from "./byte-budget.ts";
import { createPacer, type Pacer } from "./pacer.ts";

/** How much may be going on at a time. Beyond a number, a request is answered 429 with Retry-After. */
export interface RequestLimits {
  /** Maximum concurrent requests, excluding long-running ones. Default 1,500. */
  requests?: number;
  /** Watches, log streams, proxied answers, execs and port-forwards. Default 8,000. */
  longRunning?: number;
  /** Bytes of the request bodies that are being received or handled. Default 64 MiB. */
  bodyBytes?: number;
  /** Bytes of large answers that are encoded for one client alone, and that it has not read. Default 128 MiB. */
  copyBytes?: number;
  /** Milliseconds after which a client that does not read its list or its watch is cut off. Default 60 s. */
  stallTimeout?: number;
}

/** One request's share of the limits. */
export interface Flight {
  /** From now on it counts as long-running. @throws ApiStatusError 429 */
  goOn(): void;
  leave(): void;
}

export interface InFlight {
  readonly bodies: ByteBudget;
  readonly copies: ByteBudget;
  readonly pacer: Pacer;
  readonly stallTimeout: number;
  /** @throws ApiStatusError 429 */
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

/** The words of kube-apiserver's limit of requests in flight. Clients retry after one second. */
export function tooBusy(): Error {
  return tooManyRequests("Too many requests, please try again later.", 1);
}
