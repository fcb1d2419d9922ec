import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";

/** A request. It is sent to a real server when responses are recorded, and to this server to compare them. */
export interface Exchange {
  /** What the exchange shows. Unique in its file. */
  name: string;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  contentType?: string;
  /** An object is sent as JSON, text unchanged. */
  body?: JsonObject | JsonValue[] | string;
  /** The user of the request. Default: the administrator. */
  as?: Caller;
  /** Objects that exist before the request. They and the created object are deleted afterwards. */
  given?: Given[];
}

export interface Caller {
  /** A ServiceAccount of the namespace, whose token the request uses. Default: the administrator's token. */
  account?: string;
  /** The user to impersonate. */
  user?: string;
  group?: string;
}

export interface Given {
  path: string;
  body: JsonObject;
}

/** A server's response, without values that differ between requests. */
export interface Answer {
  status: number;
  warnings?: string[];
  body: JsonValue;
}

export type Send = (
  method: string,
  path: string,
  contentType: string | undefined,
  body: string | undefined,
  headers?: Record<string, string>,
) => Promise<{ status: number; warnings: string[]; body: JsonValue }>;

/** The namespace of all namespaced objects. */
export const namespace = "recorded";

/** Creates the namespace and the account of its Pods. No token is mounted, so that Pods stay as written. */
export async function prepare(send: Send): Promise<void> {
  await send("POST", "/api/v1/namespaces", undefined, JSON.stringify({ metadata: { name: namespace } }));
  const account = { metadata: { name: "default" }, automountServiceAccountToken: false };
  await send("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, undefined, JSON.stringify(account));
}

export interface Runner {
  run(exchange: Exchange): Promise<Answer>;
  /** Removes the definition that the last exchange kept. */
  close(): Promise<void>;
}

/**
 * Returns a runner that sends exchanges one after the other. A definition stays while the following exchanges
 * use the same one.
 *
 * @param settle waits until the server has read the roles and bindings that it has stored
 */
export function createRunner(send: Send, settle = async () => {}): Runner {
  let kept: { text: string; path: string } | undefined;

  async function make({ path, body }: Given, exchange: Exchange): Promise<string> {
    const answer = await send("POST", path, undefined, JSON.stringify(body));
    if (answer.status === 201) return pathOf(path, answer.body);
    throw new Error(`${exchange.name}: cannot make ${path}: ${JSON.stringify(answer.body)}`);
  }

  async function close(): Promise<void> {
    if (kept === undefined) return;
    await send("DELETE", kept.path, undefined, undefined);
    await waitUntilGone(kept.path, send);
    kept = undefined;
  }

  async function define(given: Given, exchange: Exchange): Promise<void> {
    const text = JSON.stringify(given.body);
    if (kept?.text === text) return;
    await close();
    kept = { text, path: await make(given, exchange) };
    await waitUntilServed(given.body, send);
  }

  async function run(exchange: Exchange): Promise<Answer> {
    const made: string[] = [];
    const { method = "POST", path, contentType, body, given = [] } = exchange;
    // Exchanges about definitions need a server without other definitions.
    if (path.startsWith("/apis/apiextensions.k8s.io/")) await close();
    try {
      for (const object of given) {
        if (object.path.endsWith("/customresourcedefinitions") && !path.startsWith(object.path)) {
          await define(object, exchange);
          continue;
        }
        made.push(await make(object, exchange));
        if (object.path.endsWith("/customresourcedefinitions")) await waitUntilServed(object.body, send);
      }
      if (given.some((object) => object.path.includes("/rbac.authorization.k8s.io/"))) await settle();
      const text = typeof body === "string" ? body : JSON.stringify(body);
      const headers = await headersOf(exchange.as ?? {}, send);
      const { status, warnings, body: received } = await send(method, path, contentType, text, headers);
      if (status === 201 && isStored(method, path)) made.push(pathOf(path, received));
      return {
        status,
        // Clients show the error of a refused request, not its warnings.
        ...(warnings.length === 0 || status >= 400 ? {} : { warnings: [...warnings].sort() }),
        body: normalize(received),
      };
    } finally {
      for (const object of made.reverse()) {
        await send("DELETE", object, undefined, JSON.stringify({ gracePeriodSeconds: 0 }));
        if (object.includes("/customresourcedefinitions/")) await waitUntilGone(object, send);
      }
    }
  }

  return { run, close };
}

async function headersOf({ account, user, group }: Caller, send: Send): Promise<Record<string, string>> {
  const token = account === undefined ? undefined : await tokenOf(account, send);
  return {
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(user === undefined ? {} : { "Impersonate-User": user }),
    ...(group === undefined ? {} : { "Impersonate-Group": group }),
  };
}

async function tokenOf(account: string, send: Send): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const { body } = await send("POST", path, undefined, "{}");
  const status = isJsonObject(body) && isJsonObject(body.status) ? body.status : {};
  return String(status.token);
}

/** Returns whether the request stores an object. */
function isStored(method: string, path: string): boolean {
  if (path.includes("dryRun=") || path.endsWith("/token") || path.includes("reviews")) return false;
  // An apply may also create an object.
  return method === "POST" || method === "PUT" || method === "PATCH";
}

function pathOf(collection: string, object: JsonValue): string {
  const metadata = isJsonObject(object) && isJsonObject(object.metadata) ? object.metadata : {};
  const path = collection.split("?")[0] ?? "";
  // A PUT has the name in its path.
  return path.endsWith(`/${String(metadata.name)}`) ? path : `${path}/${String(metadata.name)}`;
}

async function waitUntilServed(definition: JsonObject, send: Send): Promise<void> {
  const { group, names, versions } = definition.spec as {
    group: string;
    names: { plural: string };
    versions: { name: string }[];
  };
  const path = `/apis/${group}/${versions[0]?.name}/namespaces/${namespace}/${names.plural}`;
  await until(async () => (await send("GET", path, undefined, undefined)).status === 200);
  // A real server adds and removes a kind in several steps: wait until it has finished.
  const probe = { apiVersion: `${group}/${versions[0]?.name}`, kind: "None" };
  await until(async () => {
    const answer = await send("POST", `${path}?dryRun=All`, undefined, JSON.stringify(probe));
    return answer.status !== 404 && answer.status !== 405;
  });
}

async function waitUntilGone(path: string, send: Send): Promise<void> {
  await until(async () => (await send("GET", path, undefined, undefined)).status === 404);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the server does not come to rest");
}

/** Fields that a server assigns. */
const assigned = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "clusterIP",
  "nodePort",
  "expirationTimestamp",
]);

function normalize(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  if (value.kind === "Status") return normalizeStatus(value);
  if (value.kind === "SelfSubjectRulesReview") return normalizeRules(value);
  return normalizeObject(value);
}

/** Returns the claims of a JWT, with times relative to when it was issued. The signature is left out. */
function normalizeToken(token: string): JsonValue {
  const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString();
  const { exp, iat, nbf, jti: _id, ...claims } = JSON.parse(payload) as Record<string, JsonValue>;
  const bound = claims["kubernetes.io"] as JsonObject;
  if (bound.warnafter !== undefined) bound.warnafter = Number(bound.warnafter) - Number(iat);
  return {
    ...(normalizeObject(claims) as JsonObject),
    exp: Number(exp) - Number(iat),
    nbf: Number(nbf) - Number(iat),
    jti: "<assigned>",
  };
}

/** Sorts the rules: a real server reads the bindings in the order of a Go map. */
function normalizeRules(review: JsonObject): JsonValue {
  const status = isJsonObject(review.status) ? review.status : {};
  const sorted = Object.entries(status).map(([key, value]) => {
    if (!Array.isArray(value)) return [key, value];
    return [key, [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
  });
  return { ...review, metadata: {}, status: Object.fromEntries(sorted) };
}

function normalizeObject(value: JsonValue, path = ""): JsonValue {
  if (Array.isArray(value)) return value.map((item) => normalizeObject(item, path));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, member]): [string, JsonValue][] => {
    if (key === "managedFields" || member === undefined) return [];
    if (assigned.has(key) && member !== "None" && !path.includes("openAPIV3Schema"))
      return [[key, "<assigned>"]];
    if (key === "clusterIPs") return [[key, "<assigned>"]];
    if (path === ".status" && key === "token") return [[key, normalizeToken(String(member))]];
    if (key === "conditions" && path === ".status") return [];
    return [[key, normalizeObject(member, `${path}.${key}`)]];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Sorts the causes, because some come in the order of a Go map, and removes the UID of a patched object from
 * the message.
 */
function normalizeStatus(status: JsonObject): JsonValue {
  const details = isJsonObject(status.details) ? status.details : {};
  const causes = Array.isArray(details.causes)
    ? details.causes.map((cause) => withoutPatch(cause))
    : undefined;
  const sorted = causes?.map((cause) => JSON.stringify(cause)).sort();
  const unique = [...new Set(sorted)].map((text) => JSON.parse(text) as JsonValue);
  const message = String(withoutPatch(status.message ?? ""));
  return {
    reason: status.reason ?? "",
    // With several causes, the message lists them in their order.
    message: unique.length > 1 ? message.slice(0, message.indexOf(":")) : message,
    ...(unique.length === 0 ? {} : { causes: unique }),
    ...(details.kind === undefined ? {} : { kind: details.kind }),
    ...(details.name === undefined ? {} : { name: details.name }),
    ...(details.group === undefined ? {} : { group: details.group }),
  };
}

function withoutPatch(value: JsonValue): JsonValue {
  if (isJsonObject(value)) {
    return { ...value, ...(typeof value.message === "string" ? { message: shorten(value.message) } : {}) };
  }
  return typeof value === "string" ? shorten(value) : value;
}

function shorten(message: string): string {
  return (
    message
      // The type of a rule's self has a different number each time.
      .replace(/selfType\d*/g, "selfType")
      .replace(/Invalid value: "\{\\".*\}": /, "Invalid value: <patched>: ")
      // What follows is the Pod in a real server's internal form.
      .replace(/(\(allow it to be set to 1 if it was previously negative\))[\s\S]*$/, "$1")
  );
}
