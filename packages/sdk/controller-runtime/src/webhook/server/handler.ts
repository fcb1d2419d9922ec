import type { IncomingHttpHeaders } from "node:http";
import { type LargeIntegers, stringifyJson } from "./exact-json.ts";

/** A request to a webhook server. */
export interface WebhookRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /**
   * Aborts when the caller has disconnected (its timeout has passed), or the server stops waiting at
   * shutdown.
   */
  readonly signal: AbortSignal;
}

/** The HTTP answer of a webhook handler. */
export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * Answers the requests to one path. Made by `admissionWebhook`, `conversionWebhook`, or by hand.
 * Go: http.Handler.
 */
export type WebhookHandler = (request: WebhookRequest) => Promise<WebhookAnswer> | WebhookAnswer;

/** @throws Error when an integer of the request cannot be written exactly */
export function jsonAnswer(value: unknown, large: LargeIntegers = new Map()): WebhookAnswer {
  return { status: 200, contentType: "application/json", body: stringifyJson(value, large) };
}

export function textAnswer(status: number, text: string): WebhookAnswer {
  return { status, contentType: "text/plain; charset=utf-8", body: `${text}\n` };
}
