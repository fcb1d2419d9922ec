import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { quoted } from "../../apimachinery/errors.ts";
import type { JsonObject, JsonValue } from "../../lib/json/json.ts";
import type { Store } from "../storage/store.ts";
import { createTokenSigner, JwtError, readUnverified, type TokenSigner } from "./jwt.ts";
import {
  issuer,
  type ServiceAccountClaims,
  type TokenTimes,
  validateClaims,
  writeClaims,
} from "./service-account-claims.ts";
import type { UserInfo } from "./user.ts";

/** The user of a token and the requested audiences that it is valid for, or why it is invalid. */
export type TokenReview = { user: UserInfo; audiences: readonly string[] } | { error: string };

/** Authenticates and issues bearer tokens. */
export interface TokenAuthenticator {
  /** Returns the user of a token for this server, or undefined. */
  authenticate(token: string): UserInfo | undefined;
  /** Returns the user or the reason for a refusal. @param audiences default: the server's own */
  review(token: string, audiences?: readonly string[]): TokenReview;
  /**
   * Returns a token for a ServiceAccount. Each use of the token looks up in the store whether it is still
   * valid.
   */
  issue(claims: ServiceAccountClaims, times: TokenTimes, audiences: readonly string[], id: string): string;
  readonly signer: TokenSigner;
}

export interface TokenAuthenticatorOptions {
  /** The administrator's token. */
  administrator: string;
  store: Store;
  /** Milliseconds since the epoch. */
  now(): number;
}

const unknown = "invalid bearer token";
/** The most verified signatures in the cache. A client's second request then costs only a digest. */
const verifiedLimit = 1_000;

/** Returns 256 random bits as text for a header. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

export function createTokenAuthenticator(options: TokenAuthenticatorOptions): TokenAuthenticator {
  const { store, now } = options;
  const administrator = digest(options.administrator);
  const signer = createTokenSigner();
  // Keyed by digest, so that the time of a look-up reveals nothing about the tokens.
  const verified = new Map<string, JsonObject>();

  function claimsOf(token: string, presented: Buffer): JsonObject {
    const key = presented.toString("base64");
    const known = verified.get(key);
    if (known !== undefined) return known;
    const claims = signer.verify(token);
    if (verified.size >= verifiedLimit) verified.clear();
    verified.set(key, claims);
    return claims;
  }

  function review(token: string, requested: readonly string[] = []): TokenReview {
    const wanted = requested.length === 0 ? [issuer] : requested;
    const presented = digest(token);
    if (timingSafeEqual(presented, administrator)) {
      // Tokens that are not JWTs are valid for this server only.
      const audiences = wanted.filter((audience) => audience === issuer);
      if (audiences.length === 0) return { error: unknown };
      const groups = ["system:masters", "system:authenticated"];
      return { user: { username: "kubernetes-admin", groups }, audiences };
    }
    if (readUnverified(token)?.iss !== issuer) return { error: unknown };
    try {
      const claims = claimsOf(token, presented);
      const own = texts(claims.aud);
      const audiences = own.filter((audience) => wanted.includes(audience));
      if (audiences.length === 0) {
        throw new JwtError(
          `token audiences ${quoted(own)} is invalid for the target audiences ${quoted(wanted)}`,
        );
      }
      return { user: validateClaims(claims, store, Math.floor(now() / 1000)), audiences };
    } catch (error) {
      if (!(error instanceof JwtError)) throw error;
      return { error: `[${unknown}, ${error.message}]` };
    }
  }

  return {
    authenticate(token) {
      const found = review(token);
      return "user" in found ? found.user : undefined;
    },
    review,
    issue: (claims, times, audiences, id) => signer.sign(writeClaims(claims, times, audiences, id)),
    signer,
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function texts(value: JsonValue | undefined): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item) => typeof item === "string");
}
