import { createServer, get, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Request {
  readonly verb: "list" | "watch";
  /** The number of the request among those of its verb: 1, 2, … */
  readonly number: number;
  /** "" if none was sent. */
  readonly resourceVersion: string;
  /** allowWatchBookmarks */
  readonly bookmarks: boolean;
  /** Objects a page; undefined: all of them at once. */
  readonly limit: number | undefined;
}

export interface PlainServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly Request[];
  /** The number of requests of that verb. */
  count(verb: Request["verb"]): number;
  close(): Promise<void>;
}

/**
 * An API server over plain HTTP with the ConfigMaps of one namespace, for one scenario: other clients cannot
 * use our transports. Like a server without KEP-3157 it refuses to stream a list; such requests are not
 * counted.
 *
 * @param answer the answer to each list and watch
 */
export async function startPlainServer(
  answer: (request: Request, response: ServerResponse) => void,
): Promise<PlainServer> {
  const requests: Request[] = [];
  const count = (verb: Request["verb"]) => requests.filter((request) => request.verb === verb).length;

  const server = createServer((message, response) => {
    const { pathname, searchParams: query } = new URL(message.url ?? "/", "http://localhost");
    if (pathname === "/probe") return response.end();
    if (query.has("sendInitialEvents")) return refuse(response, 422, "Invalid");
    const verb = query.has("watch") ? "watch" : "list";
    const request: Request = {
      verb,
      number: count(verb) + 1,
      resourceVersion: query.get("resourceVersion") ?? "",
      bookmarks: query.get("allowWatchBookmarks") === "true",
      limit: query.has("limit") ? Number(query.get("limit")) : undefined,
    };
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    count,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Sends a request that is not counted. When it resolves, earlier requests of the same process have arrived.
 */
export async function roundTrip(url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  get(`${url}/probe`, { agent: false }, (response) => response.resume().on("end", resolve)).on(
    "error",
    reject,
  );
  await promise;
}

/** Returns the ConfigMap at that version; its value is the version. */
export function configMap(name: string, version: number) {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "shop", uid: `uid-of-${name}`, resourceVersion: `${version}` },
    data: { value: `${version}` },
  };
}

export function sendList(
  response: ServerResponse,
  version: number,
  items: ReturnType<typeof configMap>[] = [],
): void {
  const metadata = { resourceVersion: `${version}` };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ apiVersion: "v1", kind: "ConfigMapList", metadata, items }));
}

/** Returns a line of a watch. */
export function event(type: "ADDED" | "MODIFIED" | "DELETED", object: ReturnType<typeof configMap>): string {
  return `${JSON.stringify({ type, object })}\n`;
}

export function bookmark(version: number): string {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { resourceVersion: `${version}` } };
  return `${JSON.stringify({ type: "BOOKMARK", object })}\n`;
}

/** Returns the ERROR event of a watch whose version is compacted. */
export function expired(): string {
  return `${JSON.stringify({ type: "ERROR", object: status(410, "Expired") })}\n`;
}

export function refuse(response: ServerResponse, code: number, reason: string): void {
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(status(code, reason)));
}

function status(code: number, reason: string) {
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", code, reason, message: reason };
}
