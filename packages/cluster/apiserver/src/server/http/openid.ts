import type { TokenSigner } from "../auth/jwt.ts";
import { issuer } from "../auth/service-account-claims.ts";
import type { WholeReply } from "./reply.ts";
import type { ApiRequest } from "./request.ts";

const keysPath = "/openid/v1/jwks";

/**
 * Returns the documents that let others verify tokens of ServiceAccounts: OpenID Connect discovery and the
 * keys (openidmetadata.go of pkg/serviceaccount). Returns undefined for other paths.
 */
export function openidDocument({ path, headers }: ApiRequest, signer: TokenSigner): WholeReply | undefined {
  if (path === keysPath) return published("application/jwk-set+json", { keys: [signer.jwk()] });
  if (path !== "/.well-known/openid-configuration") return undefined;
  return published("application/json", {
    issuer,
    // The address that the client used: the server knows no other one.
    jwks_uri: `https://${headers.host}${keysPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  });
}

function published(type: string, value: object): WholeReply {
  const headers = { "content-type": type, "cache-control": "public, max-age=3600" };
  return { status: 200, headers, body: [Buffer.from(JSON.stringify(value))] };
}
