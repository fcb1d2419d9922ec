import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import {
  ApiStatusError,
  type NodeConnection,
  servePortForward,
  serveRemoteCommand,
} from "@operator-path/apiserver";
import type { Pod } from "@operator-path/client";
import { KubeletApiError, parseCommand, parseKubeletPath, parseLogOptions } from "./requests.ts";

/** What the API serves. */
export interface KubeletApiOptions {
  connection: Omit<NodeConnection, "api">;
  pods(): readonly Pod[];
  /** Whether the container runs. undefined: the Pod does not exist. */
  isRunning(namespace: string, pod: string, container: string): boolean | undefined;
}

/** The kubelet's HTTP API (k8s.io/kubernetes/pkg/kubelet/server), as the two listeners of an HTTP server. */
export interface KubeletApi {
  request(message: IncomingMessage, response: ServerResponse): void;
  upgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/**
 * Serves what a kube-apiserver requests from a node: logs, exec, attach, port-forward, /pods and /healthz.
 * Does not authorize: the caller decides which connections to accept. Does not serve /run, /metrics, /stats
 * and /configz.
 */
export function createKubeletApi(options: KubeletApiOptions): KubeletApi {
  return {
    request(message, response) {
      response.on("error", () => {});
      answer(options, message, response).catch((error: unknown) => {
        // Headers are already sent, so a broken connection is the only way to report that the rest is
        // missing.
        if (response.headersSent) response.destroy();
        else {
          const { code, text } = refusalOf(error);
          response.writeHead(code, { "content-type": "text/plain; charset=utf-8" }).end(text);
        }
      });
    },
    upgrade(message, socket, head) {
      socket.on("error", () => {});
      const disconnected = new AbortController();
      socket.once("close", () => disconnected.abort());
      serveStreams(options, { message, socket, head, signal: disconnected.signal }).catch(
        (error: unknown) => {
          const { code, text } = refusalOf(error);
          const body = Buffer.from(text);
          socket.end(
            `HTTP/1.1 ${code} Refused\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${text}`,
          );
        },
      );
    },
  };
}

function refusalOf(error: unknown): { code: number; text: string } {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof ApiStatusError) return { code: error.code, text };
  const code = error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : 500;
  return { code, text };
}

/** Removes `Internal error occurred: `, because a kube-apiserver adds it again. */
function withoutPrefix(error: unknown): unknown {
  const prefix = "Internal error occurred: ";
  if (!(error instanceof Error) || !error.message.startsWith(prefix)) return error;
  return new Error(error.message.slice(prefix.length));
}

function urlOf(message: IncomingMessage): URL {
  return new URL(message.url ?? "/", "http://kubelet");
}

async function answer(
  options: KubeletApiOptions,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = urlOf(message);
  const { action, namespace, pod, container } = parseKubeletPath(url.pathname);
  if (action === "healthz") {
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end("ok");
    return;
  }
  if (action === "pods") {
    const list = { kind: "PodList", apiVersion: "v1", metadata: {}, items: options.pods() };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
    return;
  }
  if (action !== "containerLogs") throw new KubeletApiError(400, "Upgrade request required");
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  const logOptions = { ...parseLogOptions(url.searchParams), signal: disconnected.signal };
  const lines = options.connection.logs({ namespace, pod, container, ...logOptions })[Symbol.asyncIterator]();
  try {
    // The first read shows whether the log exists. Before it, the response can still be an error.
    for (let chunk = await lines.next(); !disconnected.signal.aborted; chunk = await lines.next()) {
      if (!response.headersSent) {
        response.writeHead(200, { "content-type": "text/plain" });
        response.flushHeaders();
      }
      if (chunk.done) break;
      if (!response.write(chunk.value)) await drained(response);
    }
  } finally {
    await lines.return?.();
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}

async function serveStreams(
  options: KubeletApiOptions,
  upgrade: { message: IncomingMessage; socket: Duplex; head: Buffer; signal: AbortSignal },
): Promise<void> {
  const url = urlOf(upgrade.message);
  const { action, namespace, pod, container } = parseKubeletPath(url.pathname);
  const running = options.isRunning(namespace, pod, container);
  if (running === undefined) throw new KubeletApiError(404, "pod does not exist");
  if (action === "portForward") {
    const ports = url.searchParams.getAll("port").map(Number);
    return servePortForward(
      upgrade,
      (port, signal) => options.connection.portForward({ namespace, pod, port, signal }),
      ports,
    );
  }
  if (action !== "exec" && action !== "attach")
    throw new KubeletApiError(400, "this path does not support upgrades");
  if (!running) throw new KubeletApiError(500, `container not found (${JSON.stringify(container)})`);
  const { command, ...wanted } = parseCommand(url.searchParams);
  const request = { namespace, pod, container, ...wanted };
  await serveRemoteCommand(upgrade, wanted, (streams) =>
    action === "exec"
      ? options.connection.exec({ ...request, command }, streams).catch((error: unknown) => {
          throw withoutPrefix(error);
        })
      : options.connection.attach(request, streams),
  );
}
