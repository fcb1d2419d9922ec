import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";

/** A request, as it is sent to a real server when answers are recorded, and to ours when they are compared. */
export interface Exchange {
  /** What it shows; unique in its file. */
  name: string;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  contentType?: string;
  /** An object is sent as JSON; a text as it stands. */
  body?: JsonObject | JsonValue[] | string;
  /** Who asks. Default: the administrator. */
  as?: Caller;
  /** Objects that are there before. They, and what the request makes, are gone afterwards. */
  given?: Given[];
}

export interface Caller {
  /** A ServiceAccount of the namespace asks with a token of its own. Default: the administrator does. */
  account?: string;
  /** Whom they want to be taken for. */
  user?: string;
  group?: string;
}

export interface Given {
  path: string;
  body: JsonObject;
}

/** What a server says, without what differs from one moment to the next. */
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

/** All namespaced objects of the exchanges are in it. */
export const namespace = "recorded";

/** The namespace, and the account that Pods need. A token is not mounted, so that Pods stay as they were written. */
export async function prepare(send: Send): Promise<void> {
  await send("POST", "/api/v1/namespaces", undefined, JSON.stringify({ metadata: { name: namespace } }));
  const account = { metadata: { name: "default" }, automountServiceAccountToken: false };
  await send("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, undefined, JSON.stringify(account));
}

export interface Runner {
  run(exchange: Exchange): Promise<Answer>;
  /** Removes the definition that the last exchange left for the next one. */
  close(): Promise<void>;
}

/**
 * Runs exchanges one after the other. A definition stays while the exchanges that follow are given the same one.
 * @param settle waits until the server knows the roles and bindings that it has stored
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
    // Exchanges about definitions have them to themselves.
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
        // Of a refused request, clients show the error.
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

/** Whether the request leaves an object behind. */
function isStored(method: string, path: string): boolean {
  if (path.includes("dryRun=") || path.endsWith("/token") || path.includes("reviews")) return false;
  // An apply may create, too.
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
  // A real server forgets and learns a kind step by step: let it come to rest.
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

/** Fields that a server assigns as it likes. */
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

/** What a JWT claims, its times counted from when it was issued. How it is signed is the server's affair. */
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

/** A real server goes through the bindings in the order of a Go map. */
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

/** Causes come in the order of a Go map here and there; a patched object in a message has its own uid. */
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
    // With several causes, the message is their list in the order in which they came.
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
      // The type of a rule's self has another number each time.
      .replace(/selfType\d*/g, "selfType")
      .replace(/Invalid value: "\{\\".*\}": /, "Invalid value: <patched>: ")
      // What follows is the Pod in the inner form of a real server.
      .replace(/(\(allow it to be set to 1 if it was previously negative\))[\s\S]*$/, "$1")
  );
}
