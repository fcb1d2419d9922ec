import {
  type ApiStatusError,
  badRequest,
  quote,
  ApiStatusError as StatusError,
} from "../../apimachinery/errors.ts";
import { isDns1123Label, isDns1123Subdomain } from "../../lib/formats/names.ts";
import type { AccessAttributes, Authorizer } from "./authorizer.ts";
import { accessDenied } from "./authorizer.ts";
import { serviceAccountGroups } from "./service-account-claims.ts";
import type { UserInfo } from "./user.ts";

/** The user in the Impersonate headers of a request. */
export interface WantedUser {
  username: string;
  uid: string;
  groups: readonly string[];
  extra: Readonly<Record<string, readonly string[]>>;
}

const extraPrefix = "impersonate-extra-";

/**
 * Parses the headers Impersonate-User, -Uid, -Group and -Extra-….
 * @param headers by name in lower case, each with all its values
 * @returns undefined without such headers
 * @throws ApiStatusError 400 when the user is missing
 */
export function readImpersonation(headers: NodeJS.Dict<string[]>): WantedUser | undefined {
  const username = headers["impersonate-user"]?.[0] ?? "";
  const uid = headers["impersonate-uid"]?.[0] ?? "";
  const groups = headers["impersonate-group"] ?? [];
  const extra: Record<string, string[]> = {};
  for (const [header, values = []] of Object.entries(headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    const key = decodeKey(header.slice(extraPrefix.length));
    Object.defineProperty(extra, key, { value: values, enumerable: true, configurable: true });
  }
  const wanted = { username, uid, groups, extra };
  if (username !== "") return wanted;
  if (uid === "" && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw badRequest(`requested ${goSyntax(wanted)} without impersonating a user name`);
}

/** Returns the user that the request may act as. @throws ApiStatusError 403 */
export type Impersonator = (attributes: AccessAttributes, wanted: WantedUser) => UserInfo;

/** The most users whose last mode is cached. */
const rememberedLimit = 10_000;

/**
 * Returns a function that decides which user a request may act as. It tries each mode in turn: first those of
 * constrained impersonation (KEP 5284), which also check the request itself, then the verb `impersonate`. It
 * tries the mode that last succeeded for the user first. If every mode refuses, it throws the refusal of the
 * first mode that it tried.
 */
export function createImpersonator(authorize: Authorizer): Impersonator {
  const remembered = new Map<string, Mode>();

  return (attributes, wanted) => {
    const { user } = attributes;
    const last = remembered.get(user.username);
    const modes = modesFor(user, wanted);
    let first: ApiStatusError | undefined;
    for (const mode of [...modes.filter((one) => one === last), ...modes.filter((one) => one !== last)]) {
      try {
        const taken = tryMode(authorize, attributes, wanted, mode);
        if (remembered.size >= rememberedLimit) remembered.clear();
        remembered.set(user.username, mode);
        return taken;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        first ??= error;
      }
    }
    throw first as ApiStatusError;
  };
}

type Mode = "associated-node" | "arbitrary-node" | "serviceaccount" | "user-info" | "legacy";

function modesFor(requestor: UserInfo, wanted: WantedUser): Mode[] {
  const onlyName = wanted.uid === "" && wanted.groups.length === 0 && Object.keys(wanted.extra).length === 0;
  const node = nodeOf(wanted.username);
  if (node !== undefined) {
    if (!onlyName) return ["legacy"];
    const own = requestor.extra?.["authentication.kubernetes.io/node-name"] ?? [];
    const associated = accountOf(requestor.username) !== undefined && own.length === 1 && own[0] === node;
    return [...(associated ? (["associated-node"] as const) : []), "arbitrary-node", "legacy"];
  }
  if (accountOf(wanted.username) === undefined) return ["user-info", "legacy"];
  return onlyName ? ["serviceaccount", "legacy"] : ["legacy"];
}

/** Tries one mode. @throws ApiStatusError 403 */
function tryMode(
  authorize: Authorizer,
  attributes: AccessAttributes,
  wanted: WantedUser,
  mode: Mode,
): UserInfo {
  const { user: requestor } = attributes;
  const constrained = mode !== "legacy";
  if (constrained) ask({ ...attributes, verb: `impersonate-on:${mode}:${attributes.verb}` });
  const verb = constrained ? `impersonate:${mode}` : "impersonate";
  const authentication = "authentication.k8s.io";
  const group = constrained ? authentication : "";

  function ask(access: AccessAttributes): void {
    const { allowed, reason } = authorize(access);
    if (!allowed) throw accessDenied(access, reason);
  }
  function askFor(resource: string, name: string, more: Partial<AccessAttributes> = {}): void {
    ask({ user: requestor, verb, version: "v1", group: authentication, resource, name, ...more });
  }

  let groups = [...wanted.groups];
  const account = accountOf(wanted.username);
  const node = constrained ? nodeOf(wanted.username) : undefined;
  if (node !== undefined) {
    groups = ["system:nodes"];
    askFor("nodes", mode === "associated-node" ? "*" : node);
  } else if (account !== undefined) {
    if (groups.length === 0) groups = serviceAccountGroups(account.namespace);
    askFor("serviceaccounts", account.name, { group, namespace: account.namespace });
  } else askFor("users", wanted.username, { group });
  if (wanted.uid !== "") askFor("uids", wanted.uid);
  if (constrained) checkGroups(requestor, verb, wanted.groups);
  for (const name of wanted.groups) askFor("groups", name, { group });
  for (const [key, values] of Object.entries(wanted.extra)) {
    for (const value of values) askFor("userextras", value, { subresource: key });
  }
  return userOf(wanted, groups);
}

/** Rejects groups that only the older verb allows. @throws ApiStatusError 403 */
function checkGroups(user: UserInfo, verb: string, groups: readonly string[]): void {
  const access = { user, verb, group: "authentication.k8s.io", version: "v1", resource: "groups" };
  if (groups.includes("")) throw accessDenied(access, "impersonating the empty string group is not allowed");
  const name = "system:masters";
  if (groups.includes(name)) {
    throw accessDenied({ ...access, name }, `impersonating the ${name} group is not allowed`);
  }
}

function userOf({ username, uid, extra }: WantedUser, groups: string[]): UserInfo {
  const unauthenticated = groups.includes("system:unauthenticated");
  const member =
    username === "system:anonymous" || unauthenticated ? "system:unauthenticated" : "system:authenticated";
  return {
    username,
    ...(uid === "" ? {} : { uid }),
    groups: groups.includes(member) ? groups : [...groups, member],
    ...(Object.keys(extra).length === 0
      ? {}
      : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  };
}

function nodeOf(username: string): string | undefined {
  if (!username.startsWith("system:node:")) return undefined;
  const name = username.slice("system:node:".length);
  return isDns1123Subdomain(name).length === 0 ? name : undefined;
}

function accountOf(username: string): { namespace: string; name: string } | undefined {
  const [system, kind, namespace = "", name = "", ...more] = username.split(":");
  if (system !== "system" || kind !== "serviceaccount" || more.length > 0) return undefined;
  if (isDns1123Label(namespace).length > 0 || isDns1123Subdomain(name).length > 0) return undefined;
  return { namespace, name };
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Formats the user like Go's %#v, as a real server does. */
function goSyntax({ uid, groups, extra }: WantedUser): string {
  const list = (values: readonly string[]) => `{${values.map(quote).join(", ")}}`;
  const shownGroups = groups.length === 0 ? "[]string(nil)" : `[]string${list(groups)}`;
  const entries = Object.entries(extra).map(([key, values]) => `${quote(key)}:[]string${list(values)}`);
  const shownExtra =
    entries.length === 0 ? "map[string][]string(nil)" : `map[string][]string{${entries.join(", ")}}`;
  return `&user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
}
