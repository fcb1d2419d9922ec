import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { UserInfo } from "./user.ts";

/** Bearer tokens and whom they stand for. In memory: they end with the server. */
export interface TokenAuthenticator {
  authenticate(token: string): UserInfo | undefined;
  /**
   * Makes a token for a ServiceAccount, valid until the time (ms since epoch), and only as long as `alive` says so
   * (the account, or the Pod that it was bound to, may be deleted). It is opaque: no JWT.
   */
  issue(user: UserInfo, expires: number, alive: () => boolean): string;
}

interface Issued {
  user: UserInfo;
  expires: number;
  alive: () => boolean;
}

/** So many tokens are not worth a sweep. */
const smallest = 64;

/** 256 random bits, as text for a header. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

export function createTokenAuthenticator(administrator: string, now: () => number): TokenAuthenticator {
  const expected = digest(administrator);
  // Found by digest, so the time that a look-up takes tells nothing about the tokens.
  const issued = new Map<string, Issued>();
  let sweepAt = smallest;

  const isValid = ({ expires, alive }: Issued) => expires > now() && alive();

  /** Forgets the tokens that are valid no more, whether anybody presents them or not. */
  function sweep(): void {
    for (const [key, token] of issued) if (!isValid(token)) issued.delete(key);
    // Only when there are twice as many again, so that a token costs the same however many there are.
    sweepAt = Math.max(smallest, 2 * issued.size);
  }

  return {
    authenticate(token) {
      const presented = digest(token);
      if (timingSafeEqual(presented, expected)) {
        return { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };
      }
      const key = presented.toString("hex");
      const found = issued.get(key);
      if (found === undefined) return undefined;
      if (isValid(found)) return found.user;
      issued.delete(key);
      return undefined;
    },
    issue(user, expires, alive) {
      const token = createToken();
      if (issued.size >= sweepAt) sweep();
      issued.set(digest(token).toString("hex"), { user, expires, alive });
      return token;
    },
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
