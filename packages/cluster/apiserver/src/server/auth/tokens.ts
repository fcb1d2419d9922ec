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

/** Whose token it is, and which of the audiences asked for accept it; or why it is nobody's. */
export type TokenReview = { user: UserInfo; audiences: readonly string[] } | { error: string };

/** Bearer tokens and whom they stand for. */
export interface TokenAuthenticator {
  /** Whose token it is, if it is one for this server. */
  authenticate(token: string): UserInfo | undefined;
  /** The same with its reasons. @param audiences none: the server's own */
  review(token: string, audiences?: readonly string[]): TokenReview;
  /** A token for a ServiceAccount. Whether it is valid is looked up in the store each time that it is presented. */
  issue(claims: ServiceAccountClaims, times: TokenTimes, audiences: readonly string[], id: string): string;
  readonly signer: TokenSigner;
}

export interface TokenAuthenticatorOptions {
  /** The administrator's token. */
  administrator: string;
  store: Store;
  /** Milliseconds since epoch. */
  now(): number;
}

const unknown = "invalid bearer token";
/** Signatures that were checked, so that a client's second request costs no more than a digest. */
const verifiedLimit = 1_000;

/** 256 random bits, as text for a header. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

export function createTokenAuthenticator(options: TokenAuthenticatorOptions): TokenAuthenticator {
  const { store, now } = options;
  const administrator = digest(options.administrator);
  const signer = createTokenSigner();
  // Found by digest, so the time that a look-up takes tells nothing about the tokens.
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

  function review(token: string, asked: readonly string[] = []): TokenReview {
    const wanted = asked.length === 0 ? [issuer] : asked;
    const presented = digest(token);
    if (timingSafeEqual(presented, administrator)) {
      // Tokens that are no JWTs are for this server only.
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
