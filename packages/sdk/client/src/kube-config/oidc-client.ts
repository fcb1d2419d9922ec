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
  /** PEM, in a file. Default: the authorities that Node knows. */
  readonly caFile: string | undefined;
  /** Base64 of PEM; a file goes before it. */
  readonly caData: string | undefined;
}

interface Tokens {
  readonly idToken?: string;
  readonly refreshToken?: string;
}

/** In bytes, as with golang.org/x/oauth2. */
const longestAnswer = 2 ** 20;
const timeout = 30_000;

/**
 * The refresh-token grant, at the token endpoint that the issuer's discovery document names. Each of the requests is
 * given up after 30 s.
 *
 * @throws the library's errors, and those of the file and the connection
 */
export async function refreshTokens(client: OidcClient, refreshToken: string): Promise<Tokens> {
  try {
    return await askForTokens(client, refreshToken);
  } catch (error) {
    // Its cause quotes the answer, which may have tokens in it.
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
    // The other way to write it; kubectl takes both.
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

/** client_secret_basic is what an issuer knows that says nothing else (OpenID Connect Discovery 1.0). */
function authentication({ secret }: OidcClient): ClientAuth {
  if (!secret) return None();
  return (server, ...rest) => {
    const known = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const by = known.includes("client_secret_basic") ? ClientSecretBasic : ClientSecretPost;
    by(secret)(server, ...rest);
  };
}

/** Node's own fetch takes no certificate authority, and reads as much as it is given. */
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
    // Of a request that has no connection yet, nobody else tells, nor ends what is being opened for it.
    const leave = () => {
      agent?.destroy();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    outgoing.end(body ? String(body) : undefined);
  });
  const bytes = await bytesOf(incoming);
  const status = incoming.statusCode ?? 0;
  // Response is strict where HTTP is not: these have no body, and there are none above 599.
  if (status < 200 || status > 599) throw new Error(`it has answered with the HTTP status ${status}`);
  const own = incoming.headers as Record<string, string>;
  return new Response([204, 205, 304].includes(status) ? null : bytes, { status, headers: own });
}

async function bytesOf(incoming: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestAnswer) throw new Error("it has answered with more than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
