import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Registry } from "prom-client";
import type { Logger } from "../log/logger.ts";
import type { ScrapeAccess } from "./scrape-access.ts";

const zip = promisify(gzip);

/** The path of the metrics. */
export const metricsPath = "/metrics";

export interface ScrapeOptions {
  registry: Registry;
  extraHandlers: ReadonlyMap<string, RequestListener>;
  /** undefined: no access control. */
  access: ScrapeAccess | undefined;
  log: Logger;
}

/** Serves /metrics in Prometheus' text format, and the extra paths. Never rejects. */
export async function answerScrape(
  { registry, extraHandlers, access, log }: ScrapeOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "GET", headers } = request;
  const path = (request.url ?? "/").split("?")[0] ?? "/";
  const extra = extraHandlers.get(path);
  if (path !== metricsPath && !extra) return end(response, 404, "404 page not found");
  try {
    const refusal = await access?.({ authorization: headers.authorization, method, path });
    if (refusal) {
      const { status, message, error } = refusal;
      if (error !== undefined) log.error({ path, error }, message);
      else log.debug({ path, status }, message);
      return end(response, status, message);
    }
    if (extra) return await extra(request, response);
    if (method !== "GET" && method !== "HEAD") {
      return end(response, 405, "only GET and HEAD are allowed", { allow: "GET, HEAD" });
    }
    const text = Buffer.from(await registry.metrics());
    const zipped = acceptsGzip(headers["accept-encoding"]);
    response.writeHead(200, {
      "content-type": registry.contentType,
      vary: "accept-encoding",
      ...(zipped ? { "content-encoding": "gzip" } : {}),
    });
    response.end(zipped ? await zip(text) : text);
  } catch (error) {
    log.error({ path, error }, "A scrape failed");
    if (response.headersSent) response.destroy();
    else end(response, 500, "internal error");
  }
}

function end(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  const plain = { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" };
  response.writeHead(status, { ...plain, ...headers });
  response.end(`${text}\n`);
}

function acceptsGzip(header: string | string[] | undefined): boolean {
  return String(header ?? "")
    .split(",")
    .some((part) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(part));
}
