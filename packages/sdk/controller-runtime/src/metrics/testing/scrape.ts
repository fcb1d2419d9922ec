import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { gunzipSync } from "node:zlib";

export interface Scraped {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Unzipped. */
  readonly body: string;
}

/** Sends a GET over a new connection that trusts only `ca`. Without `ca` it trusts any certificate. */
export async function scrape(
  url: string,
  { ca, headers }: { ca?: string; headers?: Record<string, string> } = {},
): Promise<Scraped> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith("https:") ? httpsRequest : httpRequest;
    const request = send(
      url,
      { ca, rejectUnauthorized: ca !== undefined, headers, agent: false },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const bytes = Buffer.concat(chunks);
        const zipped = response.headers["content-encoding"] === "gzip";
        const body = (zipped ? gunzipSync(bytes) : bytes).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      },
    );
    request.on("error", reject);
    request.end();
  });
}
