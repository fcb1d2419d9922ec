import { type Clock, systemClock } from "../clock.ts";
import { abortable } from "../signals.ts";
import type { Credential, CredentialSource } from "./credential.ts";
import { CredentialsError } from "./credential.ts";
import { shareAttempt } from "./shared-attempt.ts";

export interface OidcOptions {
  readonly clock?: Clock;
}

/** A token counts as expired this many milliseconds early, because clocks differ (client-go: expiryDelta). */
const expiryDelta = 10_000;

/**
 * Returns the credentials of `auth-provider: oidc` in a kubeconfig (client-go: plugin/pkg/client/auth/oidc).
 * Uses the id-token until it expires, then requests a new one with the refresh-token. New tokens stay in
 * memory: unlike kubectl, it does not write the kubeconfig.
 *
 * @throws CredentialsError that names the missing or invalid field
 */
export function createOidcProvider(
  user: string,
  config: Readonly<Record<string, unknown>>,
  { clock = systemClock }: OidcOptions = {},
): CredentialSource {
  const subject = `the oidc auth-provider of the kubeconfig's user ${JSON.stringify(user)}`;
  const text = (field: string): string | undefined => {
    const value = config[field];
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value === "string") return value;
    throw new CredentialsError(`${subject} has a ${field} that is not a string: quote it`);
  };
  const required = (field: string): string => {
    const value = text(field);
    if (value) return value;
    throw new CredentialsError(`${subject} has no ${field}: add it, or log in again`);
  };
  const client = {
    issuer: required("idp-issuer-url"),
    id: required("client-id"),
    secret: text("client-secret"),
    caFile: text("idp-certificate-authority"),
    caData: text("idp-certificate-authority-data"),
  };
  let refreshToken = text("refresh-token");
  let current = withExpiry(text("id-token"));

  function withExpiry(token: string | undefined): { credential: Credential; expires: number } | undefined {
    if (token === undefined) return undefined;
    const expires = expiryOf(token);
    if (expires === undefined)
      throw new CredentialsError(`${subject} has an id-token that is not a JWT: log in again`);
    return { credential: { token }, expires };
  }

  const refresh = shareAttempt(async () => {
    if (!refreshToken) {
      throw new CredentialsError(
        `${subject} has no valid id-token, and no refresh-token to get one: log in again`,
      );
    }
    // Loaded on demand: most users have a plugin or a ServiceAccount.
    const { refreshTokens } = await import("./oidc-client.ts");
    const tokens = await refreshTokens(client, refreshToken).catch((error: unknown) => {
      // Do not set a cause: the library's errors contain the answer, with its tokens.
      throw new CredentialsError(
        `${subject} got no new id-token from ${client.issuer}: ${reasonOf(error)}; log in again if its refresh-token has expired`,
      );
    });
    // An issuer may accept each refresh token only once.
    refreshToken = tokens.refreshToken ?? refreshToken;
    current = withExpiry(tokens.idToken);
    if (current) return current.credential;
    throw new CredentialsError(
      `${subject}: ${client.issuer} answered without an id_token: did the login request the scope openid?`,
    );
  });

  return {
    get(signal) {
      const isValid = current && clock.now() + expiryDelta < current.expires;
      if (current && isValid) return current.credential;
      // The refresh continues after the caller aborts: the old refresh token may be used up, and the answer
      // has the next.
      return signal ? abortable(refresh(), signal) : refresh();
    },
    // As in client-go, an id-token stays in use until it expires.
    refuse() {},
  };
}

/** Returns the expiry of a JWT in milliseconds since the epoch. The API server verifies the token. */
function expiryOf(token: string): number | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString("utf8")) as {
      exp?: unknown;
    };
    return typeof exp === "number" ? exp * 1000 : 0;
  } catch {
    return undefined;
  }
}

/** Returns the message of the library or the issuer, in one line of at most 200 characters. */
function reasonOf(error: unknown): string {
  const { message, cause, error_description, error: code } = error as Error & Record<string, unknown>;
  const parts = code ? [code, error_description] : [message, (cause as Error | undefined)?.message];
  return parts.filter(Boolean).join(": ").replace(/\s+/g, " ").slice(0, 200);
}
