import { fork } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ApiServerOptions } from "../server.ts";

/** What a server process took since it was last asked. */
export interface Load {
  /** Resident bytes, above those that it had when it was started. */
  memory: number;
  /** Milliseconds of the longest turn of its event loop. */
  longestTurn: number;
  /** Milliseconds of processor time. */
  cpu: number;
  /** Open connections, now. */
  sockets: number;
}

/** An API server in a process of its own, for one test: an attack does not count as the server's work. */
export interface ServerProcess {
  port: number;
  token: string;
  caCertificate: string;
  load(): Promise<Load>;
  /** The answer's head, its body unread. */
  open(path: string, options?: SendOptions): Promise<IncomingMessage>;
  /** The answer's status and the number of its bytes; of a short one the text, too. */
  send(method: string, path: string, options?: SendOptions): Promise<Sent>;
}

export interface SendOptions {
  method?: string;
  /** Text goes as it is, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** false: a connection of its own. */
  agent?: false;
}

export interface Sent {
  status: number;
  bytes: number;
  text: string;
}

/** @param heap megabytes of its JavaScript heap. Default: Node's */
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
