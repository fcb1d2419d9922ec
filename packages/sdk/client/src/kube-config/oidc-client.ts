import { readFileSync } from "node:fs";
import { request } from "node:https";
import {
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetch,
  type CustomFetchOptions,
  customFetch,
  discovery,
  None,
  refreshTokenGrant,
} from "openid-client";

export interface OidcClient {
  readonly issuer: string;
  readonly id: string;
  readonly secret: string | undefined;
  /** PEM, in a file. Default: the authorities that Node knows. */
  readonly caFile: string | undefined;
  /** Base64 of PEM; a file goes before it. */
  readonly caData: string | undefined;
}

/**
 * The refresh-token grant, at the token endpoint that the issuer's discovery document names. Each of the two requests is
 * given up after 30 s.
 *
 * @throws the library's errors, and those of the file and the connection
 */
export async function refreshTokens(
  client: OidcClient,
  refreshToken: string,
): Promise<{ idToken?: string; refreshToken?: string }> {
  const ca = client.caFile ? readFileSync(client.caFile) : Buffer.from(client.caData ?? "", "base64");
  const ask: CustomFetch = (url, init) =>
    ca.length > 0 ? fetchTrusting(ca, url, init) : fetch(url, init as RequestInit);
  const issuer = await discovery(new URL(client.issuer), client.id, undefined, authentication(client), {
    [customFetch]: ask,
  });
  const { id_token, refresh_token } = await refreshTokenGrant(issuer, refreshToken);
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

/** Node's own fetch takes no certificate authority. */
function fetchTrusting(ca: Buffer, url: string, init: CustomFetchOptions): Promise<Response> {
  const { method, headers, body, signal } = init;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ca, method, headers, ...(signal && { signal }) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const { statusCode = 0, headers } = incoming;
        const answer = { status: statusCode, headers: headers as Record<string, string> };
        resolve(new Response(Buffer.concat(chunks), answer));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body ? String(body) : undefined);
  });
}
