import { fork } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ApiServerOptions } from "../server.ts";

/** Resources that a server process has used since the last report. */
export interface Load {
  /** Resident bytes, minus those at its start. */
  memory: number;
  /** Longest turn of its event loop, in milliseconds. */
  longestTurn: number;
  /** CPU time, in milliseconds. */
  cpu: number;
  /** Connections that are open now. */
  sockets: number;
}

/** An API server in its own process, for one test: the attacker's work does not count as the server's. */
export interface ServerProcess {
  port: number;
  token: string;
  caCertificate: string;
  load(): Promise<Load>;
  /** Returns the head of the response, with its body unread. */
  open(path: string, options?: SendOptions): Promise<IncomingMessage>;
  /** Returns the status of the response and the number of its bytes. Of a short response, also the text. */
  send(method: string, path: string, options?: SendOptions): Promise<Sent>;
}

export interface SendOptions {
  method?: string;
  /** Text is sent unchanged, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** false: opens a new connection. */
  agent?: false;
}

export interface Sent {
  status: number;
  bytes: number;
  text: string;
}

/** Starts a server process. @param heap size of its JavaScript heap in megabytes. Default: Node's */
export async function startServerProcess(
  options: Pick<ApiServerOptions, "limits" | "history"> = {},
  heap?: number,
): Promise<ServerProcess> {
  const program = fileURLToPath(new URL("serve.ts", import.meta.url));
  const flags = heap === undefined ? [] : [`--max-old-space-size=${heap}`];
  const child = fork(program, [JSON.stringify(options)], {
    execArgv: ["--conditions=@operator-path/source", ...flags],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const failed = exited.then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)));
  const ask = async () => {
    const answer = Promise.race([once(child, "message"), failed]);
    child.send("load");
    return ((await answer) as [Load])[0];
  };
  const [ready] = (await Promise.race([once(child, "message"), failed])) as [
    { port: number; token: string; caCertificate: string },
  ];
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  failed.catch(() => {});
  onTestFinished(async () => {
    agent.destroy();
    if (child.connected) child.disconnect();
    await exited;
  });
  const { memory: idle } = await ask();

  function open(path: string, sendOptions: SendOptions = {}): Promise<IncomingMessage> {
    const { body, headers, method = "GET" } = sendOptions;
    const bytes =
      body === undefined ? undefined : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    return new Promise((resolve, reject) => {
      request(
        {
          host: "127.0.0.1",
          port: ready.port,
          ca: ready.caCertificate,
          path,
          method,
          agent: sendOptions.agent ?? agent,
          headers: {
            authorization: `Bearer ${ready.token}`,
            ...(bytes && { "content-type": "application/json", "content-length": bytes.length }),
            ...headers,
          },
        },
        resolve,
      )
        .on("error", reject)
        .end(bytes);
    });
  }

  return {
    ...ready,
    async load() {
      const load = await ask();
      return { ...load, memory: load.memory - idle };
    },
    open,
    async send(method, path, sendOptions) {
      const message = await open(path, { ...sendOptions, method });
      let bytes = 0;
      const chunks: Buffer[] = [];
      for await (const chunk of message as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes < 100_000) chunks.push(chunk);
      }
      return { status: message.statusCode ?? 0, bytes, text: Buffer.concat(chunks).toString() };
    },
  };
}

/** Runs `count` jobs, `workers` at a time. */
export async function inParallel(
  count: number,
  workers: number,
  job: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) await job(next++);
  };
  await Promise.all(Array.from({ length: workers }, work));
}
