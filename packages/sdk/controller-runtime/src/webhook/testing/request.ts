import { type Agent, type RequestOptions, request } from "node:https";

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Sends a POST over TLS, as an API server does. An Agent may reuse the connection. */
export function post(
  url: string,
  body: string | Buffer,
  { chunked = false, ...options }: RequestOptions & { agent?: Agent | false; chunked?: boolean } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: "POST",
      ...options,
      headers: {
        "content-type": "application/json",
        ...(chunked ? { "transfer-encoding": "chunked" } : { "content-length": Buffer.byteLength(body) }),
      },
    });
    outgoing.on("error", reject);
    outgoing.on("response", async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      } catch (error) {
        reject(error);
      }
    });
    outgoing.end(body);
  });
}
