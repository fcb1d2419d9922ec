import type { IncomingMessage, ServerResponse } from "node:http";
import type { MetricsProvider } from "@operator-path/informers";
import type { Logger } from "../../log/logger.ts";
import { textAnswer, type WebhookAnswer, type WebhookHandler } from "./handler.ts";
import { maxRequestBytes, readBody } from "./read-body.ts";
import { createPathMeter, type PathMeter } from "./webhook-metrics.ts";

/** Maps paths to handlers and passes requests to them. */
export interface Router {
  /** @throws Error when the path is taken or invalid */
  register(path: string, handler: WebhookHandler): void;
  registered(path: string): boolean;
  /** Never rejects. */
  answer(message: IncomingMessage, response: ServerResponse): Promise<void>;
}

export function createRouter(metrics: MetricsProvider, now: () => number, log: Logger): Router {
  const routes = new Map<string, { handler: WebhookHandler; meter: PathMeter }>();

  async function answerOf(
    message: IncomingMessage,
    path: string,
    handler: WebhookHandler,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    try {
      const body = await readBody(message);
      if (body === undefined) {
        log.error({ path }, "unable to read the body from the incoming request; limit reached");
        return textAnswer(413, `request entity is too large; limit is ${maxRequestBytes} bytes`);
      }
      const { method = "GET", headers } = message;
      return await handler({ method, path, headers, body, signal });
    } catch (error) {
      if (!signal.aborted) log.error({ path, error }, "A webhook handler failed");
      return textAnswer(500, "internal error");
    }
  }

  return {
    register(path, handler) {
      if (!/^\/[^?#\s]*$/.test(path)) {
        throw new TypeError(`${JSON.stringify(path)} is not a valid webhook path: use one like "/validate"`);
      }
      if (routes.has(path)) throw new Error(`can't register duplicate path: ${path}`);
      routes.set(path, { handler, meter: createPathMeter(path, metrics, now) });
      log.info({ path }, "Registering webhook");
    },
    registered: (path) => routes.has(path),
    async answer(message, response) {
      const path = (message.url ?? "/").split("?")[0] ?? "/";
      const route = routes.get(path);
      if (!route) return write(response, textAnswer(404, "404 page not found"));
      const disconnected = new AbortController();
      response.on("close", () => {
        if (!response.writableFinished)
          disconnected.abort(new Error("the caller of the webhook has disconnected"));
      });
      const ended = route.meter.began();
      const answer = await answerOf(message, path, route.handler, disconnected.signal);
      ended(answer.status);
      write(response, answer);
    },
  };
}

function write(response: ServerResponse, { status, contentType, body }: WebhookAnswer): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    "content-type": contentType,
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
