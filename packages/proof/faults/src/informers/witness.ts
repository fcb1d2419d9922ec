import {
  ApiError,
  type Clock,
  type KubeObject,
  type List,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "@operator-path/client";
import { listenTo, type StreamEnd } from "./witness-stream.ts";

/** One request and its result. */
export interface Seen {
  at: number;
  verb: "list" | "watch" | "write" | "get";
  query: NonNullable<TransportRequest["query"]>;
  /** "200", or the error. */
  outcome?: string;
  error?: unknown;
}

/** One line of a watch as the client received it; without an object if it is no event. */
export interface WitnessedEvent {
  type: string;
  object?: KubeObject & { code?: number };
}

/** Judges the requests of a client and their answers. */
export interface WitnessListener {
  asked(seen: Seen): void;
  refused(seen: Seen): void;
  /** A whole page has arrived. */
  listed(seen: Seen, page: List<KubeObject>): void;
  event(seen: Seen, event: WitnessedEvent): void;
  streamEnded(seen: Seen, end: StreamEnd): void;
}

export interface WitnessOptions {
  clock: Clock;
  /** Judges requests of this collection, and only counts others. */
  collection: string;
  note(text: () => string): void;
  listeners: WitnessListener[];
  /** Bodies of streams are Node streams, not plain iterables. */
  asReadable: boolean;
}

/** Stands between the client and its transport, and records requests and answers. Changes nothing. */
export interface Witness extends Transport {
  readonly seen: readonly Seen[];
  /** The number of requests without an answer, and of streams whose reader has not left. */
  readonly open: number;
}

/** More requests than this at one moment of the clock are an endless loop: they get no answer. */
const tooMany = 300;

export function createWitness(inner: Transport, options: WitnessOptions): Witness {
  const { clock, collection, note, listeners, asReadable } = options;
  const seen: Seen[] = [];
  let open = 0;

  async function begin(request: TransportRequest): Promise<Seen> {
    const { method, path, query = {} } = request;
    const read = path === collection ? (query.watch ? "watch" : "list") : "get";
    const entry: Seen = { at: clock.now(), verb: method === "GET" ? read : "write", query };
    seen.push(entry);
    open++;
    note(() => `${method} ${path}?${new URLSearchParams(defined(query))}`);
    for (const listener of listeners) listener.asked(entry);
    if (seen[seen.length - tooMany]?.at === clock.now()) await new Promise(() => {});
    return entry;
  }

  function fail(entry: Seen, error: unknown): never {
    open--;
    entry.outcome = error instanceof Error ? error.message : String(error);
    entry.error = error;
    for (const listener of listeners) listener.refused(entry);
    note(() => `  ${entry.verb} failed: ${entry.outcome?.slice(0, 150)}`);
    throw error;
  }

  return {
    seen,
    get open() {
      return open;
    },
    async request(request) {
      const entry = await begin(request);
      let response: TransportResponse<Uint8Array>;
      try {
        response = await inner.request(request);
      } catch (error) {
        return fail(entry, error);
      }
      open--;
      entry.outcome = String(response.status);
      note(() => `  ${entry.verb} answered ${response.status}: ${textOf(response.body).slice(0, 160)}`);
      const page =
        entry.verb === "list" ? (tryParse(response.body) as List<KubeObject> | undefined) : undefined;
      if (Array.isArray(page?.items)) for (const listener of listeners) listener.listed(entry, page);
      return response;
    },
    async stream(request) {
      const entry = await begin(request);
      let response: TransportResponse<AsyncIterable<Uint8Array>>;
      try {
        response = await inner.stream(request);
      } catch (error) {
        return fail(entry, error);
      }
      entry.outcome = String(response.status);
      const body = listenTo(response.body, {
        clock,
        signal: request.signal,
        asReadable,
        onChunk: (chunk) => note(() => `  ← ${JSON.stringify(textOf(chunk)).slice(1, -1).slice(0, 200)}`),
        onLine(line) {
          const event = (tryParse(line) ?? { type: "garbage" }) as WitnessedEvent;
          for (const listener of listeners) listener.event(entry, event);
        },
        onEnd(end) {
          open--;
          note(() => `  watch over: ${end.how}`);
          for (const listener of listeners) listener.streamEnded(entry, end);
        },
      });
      return { ...response, body };
    },
    close: () => inner.close(),
  };
}

/** Milliseconds of the Retry-After of a refusal, up to the minute that informers respect. */
export function retryAfterOf({ error }: Seen): number {
  return error instanceof ApiError ? Math.min(error.retryAfter ?? 0, 60_000) : 0;
}

const textOf = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

function tryParse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    return undefined;
  }
}

function defined(query: Seen["query"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
