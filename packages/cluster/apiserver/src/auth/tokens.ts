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

/** 256 random bits, as text for a header. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

export function createTokenAuthenticator(administrator: string, now: () => number): TokenAuthenticator {
  const expected = digest(administrator);
  // Found by digest, so the time that a look-up takes tells nothing about the tokens.
  const issued = new Map<string, Issued>();
  return {
    authenticate(token) {
      const presented = digest(token);
      if (timingSafeEqual(presented, expected)) {
        return { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };
      }
      const key = presented.toString("hex");
      const found = issued.get(key);
      if (found === undefined) return undefined;
      if (found.expires > now() && found.alive()) return found.user;
      issued.delete(key);
      return undefined;
    },
    issue(user, expires, alive) {
      const token = createToken();
      issued.set(digest(token).toString("hex"), { user, expires, alive });
      return token;
    },
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
