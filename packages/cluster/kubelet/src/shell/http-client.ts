import { STATUS_CODES } from "node:http";
import type { SimulatedResponse } from "../network/simulated-http.ts";
import type { ProcessContext } from "../runtime/contracts.ts";

/** Where a tool was told to go. */
export interface Url {
  host: string;
  port: number;
  /** With query. */
  path: string;
  tls: boolean;
}

/** As people type it: the scheme may be missing. undefined: it cannot be read. */
export function parseUrl(text: string): Url | undefined {
  try {
    const url = new URL(/^\w+:\/\//.test(text) ? text : `http://${text}`);
    const tls = url.protocol === "https:";
    return {
      host: url.hostname,
      port: Number(url.port) || (tls ? 443 : 80),
      path: url.pathname + url.search,
      tls,
    };
  } catch {
    return undefined;
  }
}

export function reasonPhrase(status: number): string {
  return STATUS_CODES[status] ?? "";
}

/** One request through the Pod's network. undefined: nobody answers. */
export async function send(
  { network, signal }: ProcessContext,
  url: Url,
  o: { agent: string; method?: string; headers?: Record<string, string>; body?: string },
): Promise<SimulatedResponse | undefined> {
  const { agent, method = "GET", headers = {}, body = "" } = o;
  try {
    return await network.request(url.host, url.port, {
      method,
      path: url.path,
      headers: { "user-agent": agent, accept: "*/*", ...headers },
      body,
      tls: url.tls,
      signal,
    });
  } catch {
    return undefined;
  }
}
