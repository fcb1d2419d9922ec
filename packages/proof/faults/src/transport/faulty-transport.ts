import type { Clock, Transport, TransportRequest, TransportResponse } from "@operator-path/client";
import type { Random } from "../random.ts";
import { noAnswer, page, refusalOf, socketError } from "./errors.ts";
import { describe, type Fault, type Target } from "./fault.ts";
import { type Break, createFaultyStream } from "./faulty-stream.ts";
import type { Pieces } from "./pieces.ts";

export interface FaultyTransportOptions {
  clock: Clock;
  random: Random;
  /** How the bytes of streams arrive. Default "whole". */
  pieces?: Pieces;
  /** Called with each fault as it happens. */
  onFault?(description: string): void;
}

/** A transport whose requests can fail. */
export interface FaultyTransport extends Transport {
  /** Makes the next `times` requests of that kind fail (default 1). */
  arm(target: Target, fault: Fault, times?: number): void;
  /** Breaks every open stream. */
  breakStreams(how: Break): void;
  /** Ends all faults. Silent streams stay silent: half-open connections do not heal. */
  heal(): void;
}

export function createFaultyTransport(inner: Transport, options: FaultyTransportOptions): FaultyTransport {
  const { clock, random, pieces = "whole", onFault = () => {} } = options;
  let armed: { target: Target; fault: Fault; times: number }[] = [];
  const streams = new Set<ReturnType<typeof createFaultyStream>>();
  const earlier = new Map<string, Uint8Array[]>();
  /** The last answer to each list: its first page; undefined after it was used a second time. */
  const answers = new Map<string, Uint8Array | undefined>();

  function faultFor(request: TransportRequest): Fault | undefined {
    const kind = kindOf(request);
    const found = armed.find(
      ({ target, fault }) => (target === "any" || target === kind) && suits(fault, kind),
    );
    if (!found) return undefined;
    found.times -= 1;
    if (found.times <= 0) armed = armed.filter((other) => other !== found);
    onFault(`${kind} of ${request.path}: ${describe(found.fault)}`);
    return found.fault;
  }

  /** Everything before the first byte of an answer. */
  async function answered<T>(
    request: TransportRequest,
    fault: Fault | undefined,
    send: () => Promise<T>,
  ): Promise<T> {
    const refusal = refusalOf(fault, request);
    if (fault?.kind === "late") await clock.sleep(fault.before, request.signal);
    if (refusal) throw refusal;
    if (fault?.kind === "silent" && !fault.committed) return noAnswer(clock, request, request.signal);
    const answer = await send();
    if (fault?.kind === "late") await clock.sleep(fault.after, request.signal);
    if (fault?.kind === "silent") return noAnswer(clock, request, request.signal);
    if (fault?.kind === "reset") throw socketError(request, "ECONNRESET", "socket hang up");
    return answer;
  }

  return {
    async request(request) {
      request.signal?.throwIfAborted();
      const fault = faultFor(request);
      // A server does not notice that the client is disconnected: it carries out what was sent.
      const response = await answered(request, fault, () => inner.request(request));
      if (kindOf(request) === "list" && !request.query?.continue) {
        const place = JSON.stringify([request.path, request.query]);
        const before = fault?.kind === "stale" ? answers.get(place) : undefined;
        answers.set(place, before ? undefined : response.body);
        if (before) return { ...response, body: before };
      }
      if (fault?.kind === "html") return { status: fault.code, headers: html, body: Buffer.from(page) };
      if (fault?.kind !== "half") return response;
      if (fault.how === "reset") throw socketError(request, "ECONNRESET", "aborted");
      return { ...response, body: response.body.subarray(0, Math.floor(response.body.length * fault.share)) };
    },
    async stream(request) {
      request.signal?.throwIfAborted();
      const fault = faultFor(request);
      const disconnected = new AbortController();
      const onAbort = () => disconnected.abort(request.signal?.reason);
      request.signal?.addEventListener("abort", onAbort, { once: true });
      let response: TransportResponse<AsyncIterable<Uint8Array>>;
      try {
        response = await answered(request, fault, () =>
          inner.stream({ ...request, signal: disconnected.signal }),
        );
      } catch (error) {
        disconnected.abort(error);
        request.signal?.removeEventListener("abort", onAbort);
        throw error;
      }
      const source = fault?.kind === "html" ? only(page) : response.body;
      const place = `${request.path} ${request.query?.labelSelector ?? ""}`;
      const lines = earlier.get(place) ?? [];
      earlier.set(place, lines);
      const stream = createFaultyStream(source, {
        request,
        fault,
        clock,
        pieces,
        random,
        earlier: lines,
        onClosed() {
          request.signal?.removeEventListener("abort", onAbort);
          streams.delete(stream);
          disconnected.abort(new Error("the connection is closed"));
        },
      });
      streams.add(stream);
      return { ...response, body: stream.body };
    },
    close: () => inner.close(),
    arm(target, fault, times = 1) {
      armed.push({ target, fault, times });
    },
    breakStreams(how) {
      for (const stream of [...streams]) {
        onFault(`an open stream: ${how.how}`);
        stream.break(how);
      }
    },
    heal() {
      armed = [];
    },
  };
}

const html = { "content-type": "text/html" };

async function* only(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function kindOf({ method, query = {} }: TransportRequest): Exclude<Target, "any"> {
  if (method !== "GET") return "write";
  return query.watch === true || query.watch === "true" || query.watch === "1" ? "watch" : "list";
}

const ofStreams = new Set<Fault["kind"]>(["cut", "brief", "twice", "old", "error event", "garbage"]);

/** Whether the fault needs a stream. Half an answer needs an answer that is not a stream. */
function suits(fault: Fault, kind: Exclude<Target, "any">): boolean {
  if (ofStreams.has(fault.kind)) return kind === "watch";
  if (fault.kind === "stale") return kind === "list";
  return fault.kind !== "half" || kind !== "watch";
}
