import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServingCertificate } from "@operator-path/client/certificates";
import { afterAll } from "vitest";
import type { JsonObject } from "../lib/json/json.ts";

/** The fields of an AdmissionReview's request that tests read. */
export interface ReviewRequest extends JsonObject {
  uid: string;
  operation: string;
  name: string;
  namespace: string;
}

/** Returns the response to a review. uid and allowed have defaults. */
export type Responder = (request: ReviewRequest) => JsonObject | Promise<JsonObject>;

/** A webhook server over real HTTPS on loopback. */
export interface WebhookServer {
  /** `https://127.0.0.1:<port>` */
  url: string;
  port: number;
  /** Its CA certificate as base64 of the PEM: clientConfig.caBundle. */
  caBundle: string;
  /** Received requests, in order. */
  received: { path: string; request: ReviewRequest; headers: IncomingMessage["headers"] }[];
  /** Returns the number of TCP connections so far. */
  connections(): number;
  /** Sets the responder of a path. Replaces the previous one. */
  on(path: string, responder: Responder): void;
  /** Sets a handler that writes the response itself. */
  onRaw(path: string, handler: (review: JsonObject, response: ServerResponse) => void): void;
  /** Returns the clientConfig of a webhook that calls the path. */
  clientConfig(path: string): JsonObject;
  close(): Promise<void>;
}

/** Starts a server. @param names names of the serving certificate, in addition to 127.0.0.1 */
export async function openWebhookServer(names: string[] = []): Promise<WebhookServer> {
  const { certificate, privateKey, caCertificate } = createServingCertificate(
    ["localhost", "127.0.0.1", ...names],
    Date.now(),
  );
  const handlers = new Map<string, (review: JsonObject, response: ServerResponse) => void>();
  const received: WebhookServer["received"] = [];
  const server = createServer({ cert: certificate, key: privateKey }, async (message, response) => {
    const path = (message.url ?? "/").split("?")[0] ?? "/";
    const chunks: Buffer[] = [];
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
    const review = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
    received.push({
      path: message.url ?? "",
      request: review.request as ReviewRequest,
      headers: message.headers,
    });
    const handler = handlers.get(path);
    if (handler !== undefined) return handler(review, response);
    response.statusCode = 404;
    response.end("404 page not found\n");
  });
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port}`;
  const caBundle = Buffer.from(caCertificate).toString("base64");
  const onRaw: WebhookServer["onRaw"] = (path, handler) => {
    handlers.set(path, handler);
  };
  return {
    url,
    port,
    caBundle,
    received,
    connections: () => connections,
    onRaw,
    on(path, responder) {
      onRaw(path, async (review, response) => {
        const request = review.request as ReviewRequest;
        const answer = await responder(request);
        response.setHeader("content-type", "application/json");
        response.end(
          JSON.stringify({
            apiVersion: review.apiVersion,
            kind: review.kind,
            response: { uid: request.uid, allowed: true, ...answer },
          }),
        );
      });
    },
    clientConfig: (path) => ({ url: `${url}${path}`, caBundle }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Starts a server for a whole test file. */
export async function startWebhookServer(names: string[] = []): Promise<WebhookServer> {
  const server = await openWebhookServer(names);
  afterAll(() => server.close());
  return server;
}

/** Returns the response of a mutating webhook. */
export function patchResponse(operations: JsonObject[]): JsonObject {
  return {
    patchType: "JSONPatch",
    patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
  };
}
