import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Entry } from "../dns-api.ts";

export interface Failure {
  /** Of the answer. Undefined: the connection breaks after the request has had its effect. */
  readonly status?: number;
  readonly retryAfter?: number;
}

/** A DNS provider with an HTTP API, on this machine. */
export interface DnsServer extends AsyncDisposable {
  readonly url: string;
  readonly entries: Map<string, Entry>;
  /** "POST /entries" */
  readonly requests: string[];
  /** What the next requests of a method fail with, in order. */
  readonly failures: Map<string, Failure[]>;
}

/** Starts a DNS provider without entries. It rejects hosts without a dot with 422. */
export async function startDnsServer(): Promise<DnsServer> {
  const entries = new Map<string, Entry>();
  const requests: string[] = [];
  const failures = new Map<string, Failure[]>();
  let created = 0;

  const server = createServer(async (request, response) => {
    const { method = "GET", url = "/" } = request;
    const { pathname, searchParams } = new URL(url, "http://dns");
    const id = pathname.split("/")[2] ?? "";
    const body = method === "POST" || method === "PUT" ? ((await json(request)) as Entry) : undefined;
    requests.push(`${method} ${pathname}`);
    const failure = failures.get(method)?.shift();
    if (failure?.status) {
      const headers = failure.retryAfter === undefined ? {} : { "retry-after": String(failure.retryAfter) };
      return response.writeHead(failure.status, headers).end("no");
    }
    const [status, answer] = answerTo(method, id, searchParams.get("owner"), body);
    if (failure) return response.destroy();
    response.writeHead(status).end(JSON.stringify(answer));
  });

  function answerTo(method: string, id: string, owner: string | null, body?: Entry): [number, unknown] {
    if (body && !body.host.includes(".")) return [422, "the host has no zone"];
    if (method === "POST" && body) {
      const entry = { ...body, id: `e${++created}` };
      entries.set(entry.id, entry);
      return [201, entry];
    }
    if (owner !== null) return [200, [...entries.values()].filter((entry) => entry.owner === owner)];
    const entry = entries.get(id);
    if (!entry) return [404, "no such entry"];
    if (method === "DELETE") entries.delete(id);
    if (method === "PUT" && body) entries.set(id, body);
    return [200, body ?? entry];
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, entries, requests, failures },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
