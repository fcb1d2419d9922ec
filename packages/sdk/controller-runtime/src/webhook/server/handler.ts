import type { IncomingHttpHeaders } from "node:http";
import { type LargeIntegers, stringifyJson } from "./exact-json.ts";

/** What came to a path of a webhook server. */
export interface WebhookRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Aborts when the caller has gone (its timeout has passed), or the server gives up waiting at its end. */
  readonly signal: AbortSignal;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Answers requests to one path (Go: http.Handler). Made by `admissionWebhook`, `conversionWebhook`, or by hand. */
export type WebhookHandler = (request: WebhookRequest) => Promise<WebhookAnswer> | WebhookAnswer;

/** @throws Error when one of the integers that came with the request cannot be written */
export function jsonAnswer(value: unknown, large: LargeIntegers = new Map()): WebhookAnswer {
  return { status: 200, contentType: "application/json", body: stringifyJson(value, large) };
}

export function textAnswer(status: number, text: string): WebhookAnswer {
  return { status, contentType: "text/plain; charset=utf-8", body: `${text}\n` };
}
