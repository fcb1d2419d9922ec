import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { afterAll, onTestFinished } from "vitest";
import type { ApiObject, JsonObject } from "../lib/json/json.ts";
import { type ApiServer, type ApiServerOptions, startApiServer } from "../server.ts";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Returns the body as JSON. Throws when it is not JSON. */
  json<T = ApiObject & JsonObject>(): T;
}

export interface RequestOptions {
  /** An object is sent as JSON, text and bytes unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Default: the administrator's. "": no token. */
  token?: string;
}

/** A watch, read from the wire. */
export interface WatchReader {
  status: number;
  /** Resolves with the next event, or with undefined when the stream has ended. */
  next(): Promise<{ type: string; object: ApiObject & JsonObject } | undefined>;
  close(): void;
}

export interface TestServer extends ApiServer {
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** POSTs an object and returns the created one. Throws when it is refused. */
  create(path: string, object: JsonObject): Promise<ApiObject & JsonObject>;
  watch(path: string, headers?: Record<string, string>): Promise<WatchReader>;
  /** Lines that the server has logged about its own errors. */
  log: string[];
}

/** Starts a server over real HTTPS, for one test or, with `shared`, for a test file. */
export async function startTestServer(
  options: ApiServerOptions = {},
  { shared = false } = {},
): Promise<TestServer> {
  const log: string[] = [];
  const server = await startApiServer({ log: (line) => log.push(line), ...options });
  const agent = new Agent({ ca: server.caCertificate, keepAlive: true, servername: "localhost" });
  (shared ? afterAll : onTestFinished)(async () => {
    agent.destroy();
    await server.stop();
  });

  function send(method: string, path: string, { body, headers, token = server.token }: RequestOptions) {
    const bytes = body === undefined ? undefined : encode(body);
    return new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = httpsRequest(`${server.url}${path}`, {
        method,
        agent,
        headers: {
          ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
          ...(bytes === undefined
            ? {}
            : { "content-type": "application/json", "content-length": bytes.length }),
          ...headers,
        },
      });
      outgoing.on("response", resolve);
      outgoing.on("error", reject);
      outgoing.end(bytes);
    });
  }

  async function request(method: string, path: string, requestOptions: RequestOptions = {}): Promise<Answer> {
    const message = await send(method, path, requestOptions);
    const chunks: Buffer[] = [];
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    return { status: message.statusCode ?? 0, headers: message.headers, text, json: () => JSON.parse(text) };
  }

  return Object.assign(server, {
    log,
    request,
    async create(path: string, object: JsonObject) {
      const answer = await request("POST", path, { body: object });
      if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
      return answer.json();
    },
    async watch(path: string, headers: Record<string, string> = {}) {
      const message = await send("GET", path, { headers });
      const lines = splitLines(message);
      return {
        status: message.statusCode ?? 0,
        async next() {
          const { value, done } = await lines.next();
          return done ? undefined : JSON.parse(value);
        },
        close: () => message.destroy(),
      };
    },
  });
}

function encode(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

async function* splitLines(message: IncomingMessage): AsyncGenerator<string> {
  // The parts of an incomplete line: events of megabytes come in many chunks.
  let pieces: string[] = [];
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      const [first = "", ...lines] = chunk.toString().split("\n");
      pieces.push(first);
      for (const line of lines) {
        yield pieces.join("");
        pieces = [line];
      }
    }
  } catch {
    // The test has closed it.
  }
}

/** Returns a ConfigMap: a kind with few rules. */
export function configMap(
  name: string,
  data: Record<string, string> = {},
  labels?: Record<string, string>,
): JsonObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    data,
  };
}
