import { ApiError, type ConfigMap, type KubeObject, type WatchEvent } from "@operator-path/client";
import type { ListWatch, PageRequest, WatchRequest } from "../list-watch.ts";

/** The answer to one request, in order. */
export type Answer =
  | { list: ConfigMap[]; version: string; continue?: string }
  /** The server refuses the request before it streams anything. */
  | { refuse: Error }
  /** A watch sends these events. Then the server closes it, or it breaks, or it stays open for `send`. */
  | { events: WatchEvent[]; ending: "end" | "break" | "stay" };

export interface ScriptedSource {
  source: ListWatch;
  /** The requests so far: "list 500", "list 500 after C1", "list all", "stream", "stream 7", "watch 7". */
  requests: string[];
  /** The timeouts of the watches, in seconds. */
  timeouts: number[];
  /** Sends events to every open watch. */
  send(...events: WatchEvent[]): void;
  /** Returns the number of open watches. */
  open(): number;
}

/**
 * Returns a server that follows a test's script. After the last answer, watches stay open and lists are
 * refused.
 */
export function createScriptedSource(answers: Answer[]): ScriptedSource {
  const requests: string[] = [];
  const timeouts: number[] = [];
  const opened = new Set<(event: WatchEvent) => void>();

  function next(request: string): Answer {
    requests.push(request);
    const answer = answers.shift() ?? { events: [], ending: "stay" };
    if ("refuse" in answer) throw answer.refuse;
    return answer;
  }

  const source: ListWatch = {
    async list(page) {
      const after = page.continue === undefined ? "" : ` after ${page.continue}`;
      const answer = next(`list ${page.limit ?? "all"}${after}`);
      if (!("list" in answer)) throw new Error("the test did not expect a list");
      const metadata = { resourceVersion: answer.version, continue: answer.continue };
      return Buffer.from(
        JSON.stringify({ apiVersion: "v1", kind: "ConfigMapList", metadata, items: answer.list }),
      );
    },
    async watch({ resourceVersion, timeoutSeconds, sendInitialEvents }, signal) {
      timeouts.push(timeoutSeconds);
      const answer = next(`${sendInitialEvents ? "stream" : "watch"} ${resourceVersion}`.trim());
      if (!("events" in answer)) throw new Error("the test did not expect a watch");
      return stream(answer, signal);
    },
  };

  async function* stream(
    answer: Extract<Answer, { events: unknown }>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    // As from a socket: not in the same turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    for (const event of answer.events) yield line(event);
    if (answer.ending === "end") return;
    if (answer.ending === "break") throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
    const waiting: WatchEvent[] = [];
    let wake = () => {};
    const push = (event: WatchEvent) => {
      waiting.push(event);
      wake();
    };
    signal.throwIfAborted();
    opened.add(push);
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
    );
    // It may reject while nothing awaits it.
    aborted.catch(() => {});
    try {
      for (;;) {
        for (const event of waiting.splice(0)) yield line(event);
        const pushed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        if (waiting.length === 0) await Promise.race([pushed, aborted]);
      }
    } finally {
      opened.delete(push);
    }
  }

  return {
    source,
    requests,
    timeouts,
    send(...events) {
      for (const push of opened) for (const event of events) push(event);
    },
    open: () => opened.size,
  };
}

const line = (event: WatchEvent): Uint8Array => Buffer.from(`${JSON.stringify(event)}\n`);

/** Returns a ConfigMap of that version. The default uid is derived from the name. */
export function configMap(
  name: string,
  resourceVersion: string,
  more: Partial<ConfigMap> & { uid?: string } = {},
) {
  const { uid = `uid-of-${name}`, ...rest } = more;
  return {
    ...rest,
    metadata: { name, namespace: "ns", uid, resourceVersion, ...rest.metadata },
  } satisfies ConfigMap;
}

/** Returns the bookmark that ends the initial objects of a stream. */
export function initialEventsEnd(resourceVersion: string, value = "true"): WatchEvent {
  const annotations = { "k8s.io/initial-events-end": value };
  return { type: "BOOKMARK", object: { metadata: { resourceVersion, annotations } } };
}

export function refusal(code: number, reason = "", more: object = {}): ApiError {
  return new ApiError({ code, reason, message: `${code} ${reason}`, ...more });
}

/** Returns a ListWatch for tests that work with objects. The objects travel as JSON, as from a server. */
export function createObjectSource(source: {
  list(
    page: PageRequest,
  ): Promise<{ metadata: { resourceVersion: string; continue?: string }; items: KubeObject[] }>;
  watch(request: WatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent>;
}): ListWatch {
  return {
    async list(page) {
      return Buffer.from(JSON.stringify({ kind: "List", apiVersion: "v1", ...(await source.list(page)) }));
    },
    async watch(request, signal) {
      return lines(source.watch(request, signal));
    },
  };
}

async function* lines(events: AsyncIterable<WatchEvent>): AsyncGenerator<Uint8Array> {
  for await (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}
