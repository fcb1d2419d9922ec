import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { isJsonObject, type JsonObject } from "../../lib/json/json.ts";

/**
 * Signs and verifies JSON Web Tokens (RFC 7519) with one ES256 key. Creating it takes a millisecond; an RSA
 * key takes hundreds.
 */
export interface TokenSigner {
  /** Returns the compact serialization. */
  sign(claims: JsonObject): string;
  /**
   * Returns the claims of a token that this key signed. @throws JwtError with go-jose's message for any other
   * text
   */
  verify(token: string): JsonObject;
  /** Returns the public key as a JWK (RFC 7517). */
  jwk(): JsonObject;
}

export class JwtError extends Error {
  override readonly name = "JwtError";
}

const algorithm = "ES256";
const signatureBytes = 64;

/** Returns a signer. It creates the key at its first use. */
export function createTokenSigner(): TokenSigner {
  let made: { privateKey: KeyObject; publicKey: KeyObject; keyId: string } | undefined;

  function key() {
    if (made !== undefined) return made;
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const publicKey = createPublicKey(privateKey);
    const der = publicKey.export({ type: "spki", format: "der" });
    made = { privateKey, publicKey, keyId: createHash("sha256").update(der).digest("base64url") };
    return made;
  }

  return {
    sign(claims) {
      const { privateKey, keyId } = key();
      const signed = `${encode({ alg: algorithm, kid: keyId })}.${encode(claims)}`;
      const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
      return `${signed}.${signature.toString("base64url")}`;
    },
    verify(token) {
      const { publicKey, keyId } = key();
      const [head = "", payload = "", tail = ""] = token.split(".");
      const header = decode(head);
      if (header?.kid !== undefined && header.kid !== keyId) {
        throw new JwtError("invalid signature, no keys found");
      }
      // Whatever algorithm a token names, only this one is used.
      if (header?.alg !== algorithm) throw new JwtError("go-jose/go-jose: error in cryptographic primitive");
      const signature = Buffer.from(tail, "base64url");
      if (signature.length !== signatureBytes) {
        const why = `invalid signature size, have ${signature.length} bytes, wanted ${signatureBytes}`;
        throw new JwtError(`go-jose/go-jose: ${why}`);
      }
      const signed = Buffer.from(`${head}.${payload}`);
      if (!verify("sha256", signed, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)) {
        throw new JwtError("go-jose/go-jose: error in cryptographic primitive");
      }
      return decode(payload) ?? {};
    },
    jwk() {
      const { publicKey, keyId } = key();
      const { kty, crv, x, y } = publicKey.export({ format: "jwk" });
      return { use: "sig", kty, kid: keyId, crv, alg: algorithm, x, y };
    },
  };
}

/**
 * Returns the claims of a token without verifying it, so do not trust them. Returns undefined if it is not a
 * JWT.
 */
export function readUnverified(token: string): JsonObject | undefined {
  const parts = token.split(".");
  return parts.length === 3 ? decode(parts[1] as string) : undefined;
}

function encode(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
