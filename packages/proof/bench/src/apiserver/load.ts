import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import type { Subject } from "./subject.ts";

/** A client with a bounded number of connections, which it keeps. */
export interface Load {
  /**
   * Resolves to the body's size in bytes when all of it has arrived. Throws for a status of 400 and above.
   */
  send(method: string, path: string, body?: object): Promise<number>;
  /**
   * Opens a watch on a new connection, and calls back for each line until `close`. Resolves when it is
   * established.
   */
  watch(path: string, onLine: () => void): Promise<void>;
  /** Opens a watch on a new connection, and never reads its events. */
  stall(path: string): Promise<void>;
  close(): void;
}

export function createLoad({ port, token }: Subject, connections: number): Load {
  // The certificate is the server's own. The figure concerns a loopback port.
  const tls = { rejectUnauthorized: false };
  const agent = new Agent({ ...tls, keepAlive: true, maxSockets: connections, scheduling: "fifo" });
  const watches: AbortController[] = [];
  const base = { host: "127.0.0.1", port, headers: { authorization: `Bearer ${token}` } };

  /** @param take receives the answer */
  function open(path: string, take: (response: IncomingMessage) => void): Promise<void> {
    const abort = new AbortController();
    watches.push(abort);
    const options: RequestOptions = { ...base, ...tls, path, agent: false, signal: abort.signal };
    return new Promise((resolve, reject) => {
      request(options, (response) => {
        if (response.statusCode !== 200) reject(new Error(`GET ${path} was answered ${response.statusCode}`));
        response.on("error", () => {});
        take(response);
        resolve();
      })
        .on("error", reject)
        .end();
    });
  }

  return {
    send(method, path, body) {
      const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const headers = {
        ...base.headers,
        ...(text && { "content-type": type, "content-length": text.length }),
      };
      const options: RequestOptions = { ...base, headers, method, path, agent };
      return new Promise((resolve, reject) => {
        request(options, (response) => {
          let bytes = 0;
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
          });
          response.on("error", reject);
          response.on("end", () => {
            const { statusCode = 0 } = response;
            if (statusCode >= 400) reject(new Error(`${method} ${path} was answered ${statusCode}`));
            else resolve(bytes);
          });
        })
          .on("error", reject)
          .end(text);
      });
    },
    watch: (path, onLine) =>
      open(path, (response) => {
        response.on("data", (chunk: Buffer) => {
          for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) onLine();
        });
      }),
    stall: (path) => open(path, (response) => response.pause()),
    close() {
      for (const watch of watches) watch.abort();
      agent.destroy();
    },
  };
}

/** Runs `count` jobs, so many at a time. Resolves when all are done. */
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
