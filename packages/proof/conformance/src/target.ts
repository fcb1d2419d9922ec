import type { IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { type ApiServerOptions, startApiServer } from "@operator-path/apiserver";
import { startRealControlPlane } from "@operator-path/cluster/real-control-plane";
import { findControlPlane, ToolNotFoundError } from "@operator-path/tools";

/** A server that receives the requests of scripts. */
export interface Target {
  /** `embedded` or `kube-apiserver 1.36.3`. */
  readonly name: string;
  send(request: WireRequest): Promise<WireAnswer>;
  /** Resolves when the headers have arrived. */
  open(request: WireRequest): Promise<WireStream>;
  stop(): Promise<void>;
}

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** A bearer token. Default: the administrator's. */
  readonly token?: string;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface WireStream {
  readonly status: number;
  /** Resolves to the next line; undefined if the stream has ended or no line arrives within `patienceMs`. */
  line(patienceMs: number): Promise<string | undefined>;
  close(): void;
}

export interface Access {
  readonly url: string;
  readonly caCertificate: string;
  readonly token: string;
}

/** The time limit of an answer, in milliseconds. */
const bodyTimeout = 3_000;

/** Returns a target that is reached over HTTPS. Its `stop` closes the connections, then calls `stop`. */
export function createTarget(name: string, access: Access, stop: () => Promise<void>): Target {
  const agent = new Agent({ ca: access.caCertificate, keepAlive: true, servername: "localhost" });

  const begin = (wireRequest: WireRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${wireRequest.token ?? access.token}`,
        ...wireRequest.headers,
      };
      const { body } = wireRequest;
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const options = { method: wireRequest.method, agent, headers: { ...headers, ...length } };
      const outgoing = httpsRequest(`${access.url}${wireRequest.path}`, options as object, resolve);
      outgoing.on("error", reject);
      outgoing.end(body);
    });

  return {
    name,
    async send(request) {
      const message = await begin(request);
      const chunks: Buffer[] = [];
      // A watch does not end.
      const late = setTimeout(() => message.destroy(), bodyTimeout);
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
    // The caller has closed the stream.
  }
}

/** Starts the embedded API server in this process, without controllers. `log` receives its internal errors. */
export async function startOurs(
  log: (line: string) => void,
  options: Pick<ApiServerOptions, "clock"> = {},
): Promise<Target> {
  const server = await startApiServer({ log, ...options });
  return createTarget("embedded", server, () => server.stop());
}

/**
 * Starts etcd and kube-apiserver, without controllers. Builds them if Go is installed, and downloads nothing from a
 * release site. Resolves to the problem if there is no such server.
 */
export async function startReal(log: (line: string) => void): Promise<Target | { readonly problem: string }> {
  const programs = await findControlPlane({ log }).catch((error: unknown) => {
    if (error instanceof ToolNotFoundError) return { problem: error.message };
    throw error;
  });
  if ("problem" in programs) return programs;
  const plane = await startRealControlPlane({ programs });
  return createTarget(`kube-apiserver ${programs.apiserver.version}`, plane, () => plane.stop());
}
