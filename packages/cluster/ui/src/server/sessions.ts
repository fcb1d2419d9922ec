import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 bits. */
const secretBytes = 32;

/** One-time tokens, and the sessions of the browsers that used them. Secrets are kept as hashes. */
export interface Sessions {
  /** The cookie's name. Cookies are shared by all ports of a host, so it contains the port. */
  readonly cookieName: string;
  /** Returns a new token, which is valid for one browser. */
  createToken(): string;
  /** Returns a new session's secret if the token is valid. The token is invalid afterwards. */
  redeem(token: string): string | undefined;
  /** Returns whether a Cookie header contains the secret of a session. */
  has(cookieHeader: string | undefined): boolean;
}

export function createSessions(port: number): Sessions {
  const tokens = new Set<Buffer>();
  const sessions = new Set<Buffer>();
  const cookieName = `operator-path-${port}`;
  return {
    cookieName,
    createToken: () => issue(tokens),
    redeem(token) {
      const found = find(tokens, token);
      if (!found) return undefined;
      tokens.delete(found);
      return issue(sessions);
    },
    has: (cookieHeader) =>
      cookiesOf(cookieHeader).some(([name, value]) => name === cookieName && find(sessions, value)),
  };
}

function issue(hashes: Set<Buffer>): string {
  const secret = randomBytes(secretBytes).toString("base64url");
  hashes.add(hashOf(secret));
  return secret;
}

/** Compares all hashes in constant time each, so that the time says nothing about how much was right. */
function find(hashes: ReadonlySet<Buffer>, secret: string): Buffer | undefined {
  const hash = hashOf(secret);
  let found: Buffer | undefined;
  for (const known of hashes) if (timingSafeEqual(known, hash)) found = known;
  return found;
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function cookiesOf(header = ""): [name: string, value: string][] {
  return header.split(";").map((pair) => {
    const [name = "", ...value] = pair.trim().split("=");
    return [name, value.join("=")];
  });
}
