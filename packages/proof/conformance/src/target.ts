import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";

/** A server that scripts are played against. */
export interface Target {
  /** `embedded` or `kube-apiserver 1.36.3`. */
  readonly name: string;
  send(request: WireRequest): Promise<WireAnswer>;
  /** Resolves when the headers are there. */
  open(request: WireRequest): Promise<WireStream>;
  stop(): Promise<void>;
}

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Default: the administrator's. */
  readonly token?: string;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface WireStream {
  readonly status: number;
  /** The next line, or undefined when the stream has ended or none comes within `patienceMs`. */
  line(patienceMs: number): Promise<string | undefined>;
  close(): void;
}

export interface Access {
  readonly url: string;
  readonly caCertificate: string;
  readonly token: string;
}

/** How long an answer may take, in milliseconds. */
const bodyPatience = 3_000;

/** Speaks to a server over HTTPS. `stop` is called after the connections are closed. */
export function createTarget(name: string, access: Access, stop: () => Promise<void>): Target {
  const agent = new Agent({ ca: access.caCertificate, keepAlive: true, servername: "localhost" });

  const begin = (o: WireRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${o.token ?? access.token}`, ...o.headers };
      const length = o.body === undefined ? {} : { "content-length": Buffer.byteLength(o.body) };
      const options = { method: o.method, agent, headers: { ...headers, ...length } };
      const outgoing = httpsRequest(`${access.url}${o.path}`, options as object, resolve);
      outgoing.on("error", reject);
      outgoing.end(o.body);
    });

  return {
    name,
    async send(request) {
      const message = await begin(request);
      const chunks: Buffer[] = [];
      // A request that turns out to be a watch has no end.
      const late = setTimeout(() => message.destroy(), bodyPatience);
      try {
        for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
      } catch {
        chunks.push(Buffer.from("… and so on"));
      } finally {
        clearTimeout(late);
      }
      const text = Buffer.concat(chunks).toString();
      return { status: message.statusCode ?? 0, headers: message.headers, text };
    },
    async open(request) {
      const message = await begin(request);
      const lines = splitLines(message);
      let pending: Promise<string | undefined> | undefined;
      return {
        status: message.statusCode ?? 0,
        async line(patienceMs) {
          pending ??= lines.next().then(({ value, done }) => (done ? undefined : value));
          let timer: NodeJS.Timeout | undefined;
          const late = new Promise<"late">((resolve) => {
            timer = setTimeout(() => resolve("late"), patienceMs);
          });
          const first = await Promise.race([pending, late]);
          clearTimeout(timer);
          if (first === "late") return undefined;
          pending = undefined;
          return first;
        },
        close: () => message.destroy(),
      };
    },
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}

async function* splitLines(message: IncomingMessage): AsyncGenerator<string> {
  let rest = "";
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  } catch {
    // We have closed it.
  }
}
