import { CredentialsError } from "./credential.ts";
import type { User } from "./kube-config-data.ts";

/** Header values by name. A list repeats the header. */
export type ImpersonationHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * Returns `as`, `as-groups`, `as-uid` and `as-user-extra` of a user in a kubeconfig as headers (client-go:
 * transport.ImpersonationConfig).
 *
 * @returns undefined if the user does not impersonate
 * @throws CredentialsError for groups, a uid or extra without `as` (clientcmd.ConfirmUsable). The server
 *   would ignore them, and the request would have all permissions of the user itself
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
    if (alone) throw refusal(user, `${alone} without as: set as to the user to impersonate`);
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
  throw refusal(user, `an invalid ${field} (expected a string): quote it`);
}

function texts(user: User, field: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw refusal(user, `an invalid ${field} (expected a list of strings): quote numbers and booleans`);
}

function extras(user: User, value: unknown): [string, readonly string[]][] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "object" || Array.isArray(value)) {
    throw refusal(user, "an invalid as-user-extra (expected a mapping of lists)");
  }
  return Object.entries(value).map(([key, values]) => [key, texts(user, `as-user-extra.${key}`, values)]);
}

function refusal({ name }: User, problem: string): CredentialsError {
  return new CredentialsError(`the kubeconfig's user ${JSON.stringify(name)} has ${problem}`);
}

/**
 * Go sends header values as UTF-8. Node sends one byte per character, so each byte must become a character.
 */
const onTheWire = (value: string): string => Buffer.from(value, "utf8").toString("latin1");

/**
 * Escapes "%" and all characters that are not allowed in a header name as %XX (client-go: headerKeyEscape).
 */
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
