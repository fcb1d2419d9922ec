import type { Clock } from "@operator-path/client";
import type { Encoding } from "./encoding.ts";
import { keyFor, nameOf } from "./objects.ts";
import type { Replica } from "./replica.ts";
import type { Revisions } from "./revisions.ts";
import { type Query, selectionOf } from "./selection.ts";
import { badRequest, expired, tokenExpired, tooLarge } from "./statuses.ts";

/** The source of a list or watch. */
export interface Reading {
  plural: string;
  namespace: string;
  query: Query;
  replica: Replica;
  revisions: Revisions;
  encoding: Encoding;
  clock: Clock;
  /** Every continue token is too old when it is used. */
  expireTokens: boolean;
  signal?: AbortSignal | undefined;
}

interface Token {
  version: number;
  /** The last key of the previous page. */
  after: string;
}

/**
 * Returns a page of a list: of the newest version, of a replica's version, or of the version in a continue
 * token.
 */
export async function answerList(reading: Reading): Promise<Uint8Array> {
  const { plural, namespace, query, revisions, encoding } = reading;
  const token = decodeToken(query);
  const version = token?.version ?? (await versionOf(reading));
  if (token && (reading.expireTokens || token.version < revisions.compacted)) throw tokenExpired();
  const matches = selectionOf(namespace, query);
  const left = revisions
    .list(plural, version)
    .filter(matches)
    .filter((object) => !token || keyOf(object) > token.after);
  const limit = Number(query.limit ?? 0);
  const page = limit > 0 ? left.slice(0, limit) : left;
  const last = page.at(-1);
  const more =
    last && page.length < left.length
      ? {
          continue: encodeToken({ version, after: keyOf(last) }),
          ...(query.labelSelector ? {} : { remainingItemCount: left.length - page.length }),
        }
      : {};
  return encoding.list({ resourceVersion: String(version), ...more }, page);
}

/**
 * How long a server waits for its cache to reach a version before it answers that the version is too large.
 */
const patience = 3_000;

/** Returns the version that answers a read without a continue token. */
export async function versionOf(reading: Reading): Promise<number> {
  const { query, replica, revisions, clock, signal } = reading;
  const asked = String(query.resourceVersion ?? "");
  if (asked === "") return revisions.version;
  if (asked === "0") return replica.version;
  const wanted = versionNumber(asked);
  if (query.resourceVersionMatch === "Exact") {
    if (wanted < revisions.compacted) throw expired(wanted, revisions.compacted);
    return wanted;
  }
  if (replica.version < wanted) await clock.sleep(patience, signal);
  if (replica.version < wanted) throw tooLarge(wanted, replica.version);
  return replica.version;
}

/** @throws ApiError 400 */
export function versionNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw badRequest(`Invalid value: ${JSON.stringify(text)}: strconv.ParseUint`);
  return Number(text);
}

const keyOf = (object: Parameters<typeof nameOf>[0]) => {
  const { namespace, name } = nameOf(object);
  return keyFor(namespace, name);
};

function encodeToken(token: Token): string {
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

function decodeToken({ continue: text, resourceVersion }: Query): Token | undefined {
  if (text === undefined || text === "") return undefined;
  if (resourceVersion !== undefined && resourceVersion !== "" && resourceVersion !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  try {
    return JSON.parse(Buffer.from(String(text), "base64url").toString("utf8")) as Token;
  } catch {
    throw badRequest("continue key is not valid");
  }
}
