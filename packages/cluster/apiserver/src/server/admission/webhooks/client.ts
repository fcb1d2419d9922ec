import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { isIP } from "node:net";
import { type Clock, startTimer } from "../../../lib/clock.ts";
import { answerOf, connectionWords, WebhookCallError, WebhookTargetError } from "./errors.ts";
import type { WebhookTarget } from "./target.ts";

/**
 * Resolves a Service's port to an address on loopback. @throws Error with a real server's message when there
 * are no endpoints
 */
export type ResolveService = (
  namespace: string,
  name: string,
  port: number,
) => Promise<{ host: string; port: number }>;

export interface WebhookCall {
  target: WebhookTarget;
  /** Sent as JSON. */
  body: unknown;
  timeoutSeconds: number;
  /** Aborted when the client of the request disconnects. */
  signal: AbortSignal;
  /** Such as `kube-apiserver-admission`. */
  userAgent: string;
}

/** Calls webhooks over HTTPS, and reuses connections. */
export interface WebhookClient {
  /**
   * Returns the JSON of the response.
   * @throws WebhookCallError with the message of Go's client, or WebhookTargetError without an address to
   *   call
   */
  post(call: WebhookCall): Promise<unknown>;
  close(): void;
}

/** Larger than any response needs to be: an object has at most 3 MiB. */
const maximumAnswerBytes = 16 * 1024 * 1024;

/**
 * How long an idle connection is kept, in ms: shorter than webhooks keep them. When a webhook closes a
 * connection during a call, the call fails. It is not repeated, because the webhook may have acted on it.
 */
const idleTimeout = 1_000;

/**
 * Returns a client.
 * @param clock measures timeouts
 * @param resolveService undefined: webhooks behind a Service cannot be reached
 */
export function createWebhookClient(clock: Clock, resolveService?: ResolveService): WebhookClient {
  // The agent distinguishes connections by address, authority and server name.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 8, timeout: idleTimeout });

  /** Returns the address of a webhook, and the name for its certificate. */
  async function addressOf({ url, service }: WebhookTarget): Promise<RequestOptions> {
    const { hostname, port } = new URL(url);
    const name = hostname.replace(/^\[|\]$/g, "");
    if (service === undefined) {
      return { host: name, port: port || 443, ...(isIP(name) === 0 ? { servername: name } : {}) };
    }
    if (resolveService === undefined) {
      throw new Error(`service ${JSON.stringify(service.name)} cannot be reached`);
    }
    return { ...(await resolveService(service.namespace, service.name, service.port)), servername: name };
  }

  async function send(call: WebhookCall, signal: AbortSignal): Promise<Answer> {
    const { target, timeoutSeconds } = call;
    const { pathname, search, host } = new URL(target.url);
    const bytes = Buffer.from(JSON.stringify(call.body));
    const query = `${search === "" ? "?" : `${search}&`}timeout=${timeoutSeconds}s`;
    const options: RequestOptions = {
      ...(await unlessAborted(addressOf(target), signal)),
      agent,
      method: "POST",
      path: `${pathname}${query}`,
      signal,
      ...(target.ca === undefined ? {} : { ca: target.ca }),
      headers: {
        host,
        "user-agent": call.userAgent,
        accept: "application/json, */*",
        "content-type": "application/json",
        "content-length": bytes.length,
      },
    };
    return exchange(options, bytes);
  }

  return {
    async post(call) {
      const { ca } = call.target;
      if (ca !== undefined && !ca.includes("-----BEGIN CERTIFICATE-----")) {
        throw new WebhookTargetError(
          "could not get REST client: unable to load root certificates: unable to parse bytes as PEM block",
        );
      }
      const ending = new AbortController();
      let timedOut = false;
      const stopTimer = startTimer(clock, call.timeoutSeconds * 1000, () => {
        timedOut = true;
        ending.abort();
      });
      const onAbort = () => ending.abort();
      call.signal.addEventListener("abort", onAbort);
      if (call.signal.aborted) onAbort();
      try {
        const { status, text } = await send(call, ending.signal);
        return answerOf(status, text);
      } catch (error) {
        throw error instanceof WebhookCallError ? error : connectionWords(error, call, timedOut);
      } finally {
        stopTimer();
        call.signal.removeEventListener("abort", onAbort);
      }
    },
    close: () => agent.destroy(),
  };
}

interface Answer {
  status: number;
  text: string;
}

function exchange(options: RequestOptions, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest(options);
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > maximumAnswerBytes) outgoing.destroy(new Error("the answer is too large"));
        else chunks.push(chunk);
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    outgoing.end(body);
  });
}

function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}
