import { CredentialsError } from "./credential.ts";
import type { User } from "./kube-config-data.ts";

/** Header names, and what they say; several values are as many headers. */
export type ImpersonationHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * `as`, `as-groups`, `as-uid` and `as-user-extra` of a user in a kubeconfig, as headers (client-go: transport.ImpersonationConfig).
 *
 * @returns undefined: the user asks as itself
 * @throws CredentialsError for groups and the like without `as` (clientcmd.ConfirmUsable): the server would pass over them,
 *   and the request had all rights of the user itself
 */
export function impersonationOf(user: User): ImpersonationHeaders | undefined {
  const { impersonateUser, impersonateGroups, impersonateUid, impersonateUserExtra } = user;
  const as = text(user, "as", impersonateUser);
  const uid = text(user, "as-uid", impersonateUid);
  const groups = texts(user, "as-groups", impersonateGroups);
  const extra = extras(user, impersonateUserExtra);
  if (as === "") {
    const [alone] = [groups.length && "as-groups", uid && "as-uid", extra.length && "as-user-extra"].filter(
      Boolean,
    );
    if (alone) throw refusal(user, `${alone} without as: name the user to act as, too`);
    return undefined;
  }
  return {
    "Impersonate-User": onTheWire(as),
    ...(groups.length > 0 && { "Impersonate-Group": groups.map(onTheWire) }),
    ...(uid !== "" && { "Impersonate-Uid": onTheWire(uid) }),
    ...Object.fromEntries(
      extra.map(([key, values]) => [`Impersonate-Extra-${escaped(key)}`, values.map(onTheWire)]),
    ),
  };
}

function text(user: User, field: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw refusal(user, `${field} that is no text: quote it`);
}

function texts(user: User, field: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw refusal(user, `${field} that is no list of texts: quote numbers and the like`);
}

function extras(user: User, value: unknown): [string, readonly string[]][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "object" || Array.isArray(value)) {
    throw refusal(user, "as-user-extra that is no mapping of lists");
  }
  return Object.entries(value).map(([key, values]) => [key, texts(user, `as-user-extra.${key}`, values)]);
}

function refusal({ name }: User, what: string): CredentialsError {
  return new CredentialsError(`the kubeconfig's user ${JSON.stringify(name)} has ${what}`);
}

/** UTF-8, as Go sends it: Node takes a header's text for one byte a character. */
const onTheWire = (value: string): string => Buffer.from(value, "utf8").toString("latin1");

/** What a header's name may not hold, and "%", as %XX (client-go: headerKeyEscape). */
function escaped(key: string): string {
  const bytes = [...Buffer.from(key, "utf8")];
  return bytes
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w!#$&'*+\-.^`|~]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}
