import { createHash } from "node:crypto";
import type { Clock } from "@operator-path/client";
import { createExpiringCache } from "./expiring-cache.ts";
import type { ReviewedUser, Reviews } from "./reviews.ts";

/** The answer to a rejected scrape. */
export interface Refusal {
  readonly status: 401 | 403 | 500;
  readonly message: string;
  /** The error to log, when the client did not cause it. */
  readonly error?: unknown;
}

/** Resolves with undefined when the request may pass. */
export type ScrapeAccess = (request: {
  /** The Authorization header. */
  authorization: string | undefined;
  method: string;
  path: string;
}) => Promise<Refusal | undefined>;

/** Milliseconds, as in Go's delegating authenticator and authorizer. */
const remembered = { token: 60_000, allowed: 300_000, denied: 30_000 };
const capacity = 1_000;

/**
 * Admits clients that RBAC allows to use the request's verb (GET is `get`) on its path as a nonResourceURL.
 * Go: filters.WithAuthenticationAndAuthorization.
 *
 * An unknown token gets a 401, where Go answers 500 "Authentication failed". Tokens are cached by their hash,
 * and each token has at most one review in flight.
 */
export function createScrapeAccess(reviews: Reviews, clock: Clock): ScrapeAccess {
  const users = createExpiringCache<{ user: ReviewedUser | undefined }>(clock, capacity);
  const decisions = createExpiringCache<boolean>(clock, capacity);
  const asked = new Map<string, Promise<unknown>>();

  /** Shares one pending review per key. */
  function once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = asked.get(key) as Promise<T> | undefined;
    if (known) return known;
    const answer = ask().finally(() => asked.delete(key));
    asked.set(key, answer);
    return answer;
  }

  async function userOf(token: string): Promise<ReviewedUser | undefined> {
    const key = createHash("sha256").update(token).digest("base64");
    const known = users.get(key);
    if (known) return known.user;
    return once(`token ${key}`, async () => {
      const user = await reviews.authenticate(token);
      users.set(key, { user }, remembered.token);
      return user;
    });
  }

  async function isAllowed(user: ReviewedUser, verb: string, path: string): Promise<boolean> {
    const key = JSON.stringify([user.username, user.uid, user.groups, user.extra, verb, path]);
    const known = decisions.get(key);
    if (known !== undefined) return known;
    return once(`access ${key}`, async () => {
      const allowed = await reviews.authorize(user, verb, path);
      decisions.set(key, allowed, allowed ? remembered.allowed : remembered.denied);
      return allowed;
    });
  }

  return async ({ authorization, method, path }) => {
    const [, token] = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? "") ?? [];
    if (token === undefined) return { status: 401, message: "Unauthorized" };
    let user: ReviewedUser | undefined;
    try {
      user = await userOf(token);
    } catch (error) {
      return { status: 500, message: "Authentication failed", error };
    }
    if (user === undefined) return { status: 401, message: "Unauthorized" };
    try {
      if (await isAllowed(user, method.toLowerCase(), path)) return undefined;
      return { status: 403, message: `Authorization denied for user ${user.username}` };
    } catch (error) {
      return { status: 500, message: `Authorization for user ${user.username} failed`, error };
    }
  };
}
