import { type Clock, systemClock } from "../clock.ts";
import { abortable } from "../signals.ts";
import type { Credential, CredentialSource } from "./credential.ts";
import { CredentialsError } from "./credential.ts";
import { shareAttempt } from "./shared-attempt.ts";

export interface OidcOptions {
  readonly clock?: Clock;
}

/** A token counts as expired so many milliseconds before it does, since clocks differ (client-go: expiryDelta). */
const expiryDelta = 10_000;

/**
 * `auth-provider: oidc` of a kubeconfig (client-go: plugin/pkg/client/auth/oidc): its id-token until that expires, then one that the
 * issuer gives for the refresh-token. New tokens are kept in memory: unlike kubectl, the kubeconfig is not written.
 *
 * @throws CredentialsError that names what the kubeconfig lacks
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
    throw new CredentialsError(`${subject} has a ${field} that is no text: quote it`);
  };
  const required = (field: string): string => {
    const value = text(field);
    if (value) return value;
    throw new CredentialsError(`${subject} has no ${field}: give it one, or log in anew`);
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
      throw new CredentialsError(`${subject} has an id-token that is no JWT: log in anew`);
    return { credential: { token }, expires };
  }

  const refresh = shareAttempt(async () => {
    if (!refreshToken) {
      throw new CredentialsError(
        `${subject} has no valid id-token, and no refresh-token to get one: log in anew`,
      );
    }
    // Loaded by those who need it: most have a plugin, or a ServiceAccount.
    const { refreshTokens } = await import("./oidc-client.ts");
    const tokens = await refreshTokens(client, refreshToken).catch((error: unknown) => {
      // Not as a cause: the library's errors have the answer, with its tokens, in theirs.
      throw new CredentialsError(
        `${subject} got no new id-token from ${client.issuer}: ${reasonOf(error)}; log in anew if its refresh-token has expired`,
      );
    });
    // An issuer may take each refresh token once.
    refreshToken = tokens.refreshToken ?? refreshToken;
    current = withExpiry(tokens.idToken);
    if (current) return current.credential;
    throw new CredentialsError(
      `${subject}: ${client.issuer} has answered without an id_token: was the scope openid asked for upon login?`,
    );
  });

  return {
    get(signal) {
      const isValid = current && clock.now() + expiryDelta < current.expires;
      if (current && isValid) return current.credential;
      // It goes on without whom it was begun for: the refresh token may be spent already, and the next one in the answer.
      return signal ? abortable(refresh(), signal) : refresh();
    },
    // As with client-go: an id-token counts until it expires.
    refuse() {},
  };
}

/** Milliseconds since the epoch. Nothing is verified: the API server does that. */
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

/** In the library's words, or the issuer's, on one line of no more than 200 characters. */
function reasonOf(error: unknown): string {
  const { message, cause, error_description, error: code } = error as Error & Record<string, unknown>;
  const told = code ? [code, error_description] : [message, (cause as Error | undefined)?.message];
  return told.filter(Boolean).join(": ").replace(/\s+/g, " ").slice(0, 200);
}
