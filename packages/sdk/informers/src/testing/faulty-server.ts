import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type ConfigMap,
  createClientOn,
  createTransport,
  KubeConfig,
  type Status,
} from "@operator-path/client";

/** What the server does to a request instead of answering it. */
export type Fault =
  | { on: "list" | "watch"; answer: number; retryAfter?: number }
  | { on: "watch"; reset: true }
  | { on: "watch"; close: true }
  /** The server answers the watch with an ERROR event of code 410. */
  | { on: "watch"; expire: true };

export interface Received {
  verb: "list" | "watch";
  query: URLSearchParams;
  accept: string;
}

/**
 * How the server handles `sendInitialEvents`: with WatchList support, with a refusal, or as an older server
 * that ignores it.
 */
export type WatchListSupport = "offered" | "refused" | "ignored";

/**
 * Starts an API server for ConfigMaps on real sockets, with injected faults. For the tests of this package.
 */
export async function startFaultyServer({ watchList = "refused" as WatchListSupport } = {}) {
  const objects = new Map<string, ConfigMap>();
  const history: { version: number; line: string }[] = [];
  const watchers = new Set<ServerResponse>();
  const faults: Fault[] = [];
  const requests: Received[] = [];
  const refused: URLSearchParams[] = [];
  let version = 100;
  let compacted = 0;
  let uid = 0;
  let isHeld = false;

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const kubeConfig = new KubeConfig();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  kubeConfig.loadFromClusterAndUser({ name: "faulty", server: url, skipTLSVerify: true }, { name: "test" });
  // Without the retries of createClient: these tests check how the informer itself reacts.
  const client = createClientOn(createTransport(kubeConfig));

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams: query } = new URL(request.url ?? "/", url);
    const verb = query.has("watch") ? "watch" : "list";
    if (query.has("sendInitialEvents") && watchList === "refused") {
      refused.push(query);
      response.writeHead(422).end(JSON.stringify(statusOf(422)));
      return;
    }
    requests.push({ verb, query, accept: request.headers.accept ?? "" });
    const at = faults.findIndex((fault) => fault.on === verb);
    const [fault] = at < 0 ? [] : faults.splice(at, 1);
    if (fault && "answer" in fault) {
      const headers = fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
      response.writeHead(fault.answer, headers).end(JSON.stringify(statusOf(fault.answer)));
    } else if (fault && "expire" in fault) {
      response.writeHead(200).end(`${JSON.stringify({ type: "ERROR", object: statusOf(410) })}\n`);
    } else if (fault && "close" in fault) {
      response.writeHead(200).end();
    } else if (fault) {
      response.writeHead(200).write('{"type":"ADDED","obj');
      setImmediate(() => response.socket?.destroy());
    } else if (verb === "list") {
      list(query, response, isMetadataOnly(request));
    } else if (query.has("sendInitialEvents")) {
      watchFromTheStart(response, isMetadataOnly(request));
    } else {
      watch(query, response);
    }
  }

  function list(query: URLSearchParams, response: ServerResponse, metadataOnly: boolean): void {
    const all = [...objects.values()].sort((a, b) =>
      (a.metadata?.name ?? "") < (b.metadata?.name ?? "") ? -1 : 1,
    );
    const from = Number(query.get("continue") ?? 0);
    const limit = Number(query.get("limit") ?? all.length) || all.length;
    const more = from + limit < all.length ? String(from + limit) : undefined;
    const metadata = { resourceVersion: String(version), continue: more };
    const items = all.slice(from, from + limit);
    // On the wire, items of a built-in list have neither apiVersion nor kind.
    const bare = items.map(({ apiVersion: _, kind: __, ...item }) => (metadataOnly ? partial(item) : item));
    response.end(JSON.stringify({ kind: "ConfigMapList", apiVersion: "v1", metadata, items: bare }));
  }

  function watch(query: URLSearchParams, response: ServerResponse): void {
    const after = Number(query.get("resourceVersion"));
    if (after < compacted) {
      response.writeHead(410).end(JSON.stringify(statusOf(410)));
      return;
    }
    response.writeHead(200);
    response.flushHeaders();
    for (const event of history) if (event.version > after) response.write(event.line);
    watchers.add(response);
    response.on("close", () => watchers.delete(response));
  }

  /** Sends initial objects ordered by name, not by version. A server without WatchList sends no bookmark. */
  function watchFromTheStart(response: ServerResponse, metadataOnly: boolean): void {
    response.writeHead(200);
    response.flushHeaders();
    const all = [...objects.values()].sort((a, b) =>
      (a.metadata?.name ?? "") < (b.metadata?.name ?? "") ? -1 : 1,
    );
    for (const each of all) {
      const object = metadataOnly ? partial(each) : each;
      response.write(`${JSON.stringify({ type: "ADDED", object })}\n`);
    }
    if (watchList === "offered" && !isHeld)
      response.write(bookmarkLine({ "k8s.io/initial-events-end": "true" }));
    watchers.add(response);
    response.on("close", () => watchers.delete(response));
  }

  function bookmarkLine(annotations?: Record<string, string>): string {
    const metadata = { resourceVersion: String(version), annotations };
    const object = { kind: "ConfigMap", apiVersion: "v1", metadata };
    return `${JSON.stringify({ type: "BOOKMARK", object })}\n`;
  }

  function happen(type: "ADDED" | "MODIFIED" | "DELETED", object: ConfigMap): void {
    version += 1;
    const versioned = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const key = object.metadata?.name ?? "";
    if (type === "DELETED") objects.delete(key);
    else objects.set(key, versioned);
    send({ version, line: `${JSON.stringify({ type, object: versioned })}\n` });
  }

  function send(event: { version: number; line: string }): void {
    history.push(event);
    for (const watcher of watchers) watcher.write(event.line);
  }

  return {
    client,
    /** All requests except those refused for their `sendInitialEvents`, which are in `refused`. */
    requests,
    refused,
    /** Applies each fault to the next request of its kind. */
    fail: (...next: Fault[]) => void faults.push(...next),
    /** Creates or updates the object. */
    put(name: string, value: string): void {
      const old = objects.get(name);
      const managedFields = [{ manager: "test", fieldsV1: { 'f:{"}]': {} } }];
      const metadata = old?.metadata ?? { name, namespace: "shop", uid: `uid-${++uid}`, managedFields };
      happen(old ? "MODIFIED" : "ADDED", { apiVersion: "v1", kind: "ConfigMap", metadata, data: { value } });
    },
    remove(name: string): void {
      const old = objects.get(name);
      if (old) happen("DELETED", old);
    },
    bookmark(): void {
      for (const watcher of watchers) watcher.write(bookmarkLine());
    },
    /** Delays the end of initial objects until `release`. */
    hold(): void {
      isHeld = true;
    },
    release(): void {
      isHeld = false;
      for (const watcher of watchers) watcher.write(bookmarkLine({ "k8s.io/initial-events-end": "true" }));
    },
    /** Drops all past events. A watch that resumes before them gets a 410. */
    compact(): void {
      compacted = version;
      history.length = 0;
    },
    /** Breaks every open connection. */
    reset(): void {
      for (const watcher of watchers) watcher.socket?.destroy();
    },
    watching: () => watchers.size,
    state: () =>
      new Map([...objects].map(([name, { data, metadata }]) => [name, `${metadata?.uid}=${data?.value}`])),
    async close(): Promise<void> {
      await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FaultyServer = Awaited<ReturnType<typeof startFaultyServer>>;

const isMetadataOnly = ({ headers }: IncomingMessage) =>
  headers.accept?.includes("as=PartialObjectMetadata") === true;

const partial = ({ metadata }: ConfigMap) => ({
  kind: "PartialObjectMetadata",
  apiVersion: "meta.k8s.io/v1",
  metadata,
});

function statusOf(code: number): Status {
  const reason = { 410: "Expired", 429: "TooManyRequests", 500: "InternalError" }[code] ?? "Unknown";
  return { kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message: `injected ${code}` };
}
