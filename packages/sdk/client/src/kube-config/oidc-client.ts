import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import {
  type AuthorizationServer,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetchOptions,
  customFetch,
  discoveryRequest,
  JSON_ATTRIBUTE_COMPARISON,
  None,
  OperationProcessingError,
  processDiscoveryResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
} from "oauth4webapi";
import { createProxyAgent } from "../agents.ts";
import { systemClock } from "../clock.ts";
import { environmentProxy, throughProxy } from "../proxy.ts";

export interface OidcClient {
  readonly issuer: string;
  readonly id: string;
  readonly secret: string | undefined;
  /** A PEM file. Default: the authorities that Node trusts. */
  readonly caFile: string | undefined;
  /** Base64 of PEM. `caFile` has priority. */
  readonly caData: string | undefined;
}

interface Tokens {
  readonly idToken?: string;
  readonly refreshToken?: string;
}

/** The maximum size of an answer in bytes, as in golang.org/x/oauth2. */
const maxAnswerBytes = 2 ** 20;
const timeout = 30_000;

/**
 * Exchanges a refresh token for new tokens, at the token endpoint from the issuer's discovery document. Each
 * request has 30 s.
 *
 * @throws the errors of the library, the file and the connection
 */
export async function refreshTokens(client: OidcClient, refreshToken: string): Promise<Tokens> {
  try {
    return await askForTokens(client, refreshToken);
  } catch (error) {
    // The cause quotes the answer, which may contain tokens.
    if (error instanceof OperationProcessingError) throw new Error(error.message);
    throw error;
  }
}

async function askForTokens(client: OidcClient, refreshToken: string): Promise<Tokens> {
  const ca = client.caFile ? readFileSync(client.caFile) : Buffer.from(client.caData ?? "", "base64");
  const options = () => ({
    [customFetch]: (url: string, init: CustomFetchOptions<string, unknown>) => fetchTrusting(ca, url, init),
    signal: AbortSignal.timeout(timeout),
  });
  async function discover(issuer: string): Promise<AuthorizationServer> {
    const url = new URL(issuer);
    return await processDiscoveryResponse(url, await discoveryRequest(url, options()));
  }
  const issuer = await discover(client.issuer).catch((error: unknown) => {
    const isOtherIssuer =
      error instanceof OperationProcessingError && error.code === JSON_ATTRIBUTE_COMPARISON;
    if (!isOtherIssuer) throw error;
    // Retry with or without the trailing slash. kubectl accepts both.
    const { issuer } = client;
    return discover(issuer.endsWith("/") ? issuer.slice(0, -1) : `${issuer}/`);
  });
  const self = { client_id: client.id };
  const answer = await refreshTokenGrantRequest(
    issuer,
    self,
    authentication(client),
    refreshToken,
    options(),
  );
  const { id_token, refresh_token } = await processRefreshTokenResponse(issuer, self, answer);
  return { ...(id_token && { idToken: id_token }), ...(refresh_token && { refreshToken: refresh_token }) };
}

/** The default of an issuer that names no method is client_secret_basic (OpenID Connect Discovery 1.0). */
function authentication({ secret }: OidcClient): ClientAuth {
  if (!secret) return None();
  return (server, ...rest) => {
    const known = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const by = known.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost;
    by(secret)(server, ...rest);
  };
}

/** A fetch with a certificate authority and a size limit. Node's own fetch has neither. */
async function fetchTrusting(
  ca: Buffer,
  url: string,
  init: CustomFetchOptions<string, unknown>,
): Promise<Response> {
  const { method, headers, body, signal } = init;
  const authorities = ca.length > 0 ? { ca } : {};
  const proxy = environmentProxy(new URL(url));
  const agent = proxy && createProxyAgent(authorities, { proxy, secure: true, clock: systemClock });
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { ...authorities, ...(agent && { agent }), method, headers, ...(signal && { signal }) };
    const outgoing = request(url, options, resolve);
    outgoing.on("error", (error) => {
      error.message += throughProxy(proxy);
      reject(error);
    });
    // A request without a connection emits no error on abort, and its tunnel would stay open.
    const onAbort = () => {
      agent?.destroy();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    outgoing.end(body ? String(body) : undefined);
  });
  const bytes = await bytesOf(incoming);
  const status = incoming.statusCode ?? 0;
  // Response allows only statuses from 200 to 599, and no body for these three.
  if (status < 200 || status > 599) throw new Error(`it answered with the HTTP status ${status}`);
  const own = incoming.headers as Record<string, string>;
  return new Response([204, 205, 304].includes(status) ? null : bytes, { status, headers: own });
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop closes the connection.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxAnswerBytes) throw new Error("it answered with more than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
