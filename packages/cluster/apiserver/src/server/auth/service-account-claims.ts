import { isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import type { Store } from "../storage/store.ts";
import { JwtError } from "./jwt.ts";
import type { UserInfo } from "./user.ts";

/** The issuer and default audience of ServiceAccount tokens. */
export const issuer = "https://kubernetes.default.svc.cluster.local";

/**
 * How long a token is accepted after its expiry, in seconds, because clocks may differ (jwt.DefaultLeeway).
 */
const leeway = 60;

/** An object of the cluster that a token is bound to. */
export interface ObjectName {
  name: string;
  uid: string;
}

/** The private claims of a token (`kubernetes.io`), without its times. */
export interface ServiceAccountClaims {
  namespace: string;
  serviceaccount: ObjectName;
  pod?: ObjectName;
  secret?: ObjectName;
  /** `uid` is "" for a Pod on a node that is not registered. */
  node?: ObjectName;
  /** Seconds since the epoch, after which a client should have requested a new token. */
  warnafter?: number;
}

export interface TokenTimes {
  /** Seconds since the epoch. */
  now: number;
  expires: number;
}

/** Returns all claims in the form of a real server (Claims of pkg/serviceaccount). */
export function writeClaims(
  subject: ServiceAccountClaims,
  { now, expires }: TokenTimes,
  audiences: readonly string[],
  id: string,
): JsonObject {
  const { namespace, node, pod, secret, serviceaccount, warnafter } = subject;
  const reference = (ref: ObjectName | undefined, member: string) =>
    ref === undefined ? {} : { [member]: { name: ref.name, ...(ref.uid === "" ? {} : { uid: ref.uid }) } };
  return {
    aud: [...audiences],
    exp: expires,
    iat: now,
    iss: issuer,
    jti: id,
    "kubernetes.io": {
      namespace,
      ...reference(node, "node"),
      ...reference(pod, "pod"),
      ...reference(secret, "secret"),
      ...reference(serviceaccount, "serviceaccount"),
      ...(warnafter === undefined ? {} : { warnafter }),
    },
    nbf: now,
    sub: usernameOf(namespace, serviceaccount.name),
  };
}

/**
 * Returns the current user of verified claims (the validator of pkg/serviceaccount).
 * @param now seconds since the epoch
 * @throws JwtError when the token has expired, or an object that it is bound to has been deleted
 */
export function validateClaims(claims: JsonObject, store: Store, now: number): UserInfo {
  checkTime(claims, now);
  const subject = isJsonObject(claims["kubernetes.io"]) ? claims["kubernetes.io"] : {};
  const namespace = text(subject.namespace);
  const account = reference(subject.serviceaccount) ?? { name: "", uid: "" };
  const live = (collection: string, key: string, ref: ObjectName, kind: string, claim: string) => {
    const found = store.get(collection, key)?.object.metadata;
    if (found === undefined) {
      const gone = kind === "service account" ? `serviceaccounts "${ref.name}" not found` : invalidated;
      throw new JwtError(gone);
    }
    if (found.uid !== ref.uid)
      throw new JwtError(`${kind} UID (${found.uid}) does not match ${claim} (${ref.uid})`);
    if (Date.parse(found.deletionTimestamp ?? "") / 1000 < now - leeway) {
      const deleted = `service account ${namespace}/${ref.name} has been deleted`;
      throw new JwtError(kind === "service account" ? deleted : invalidated);
    }
  };
  live("serviceaccounts", `${namespace}/${account.name}`, account, "service account", "claim");
  const secret = reference(subject.secret);
  if (secret !== undefined) {
    live("secrets", `${namespace}/${secret.name}`, secret, "secret", "service account secret ref claim");
  }
  const pod = reference(subject.pod);
  if (pod !== undefined) {
    live("pods", `${namespace}/${pod.name}`, pod, "pod", "service account pod ref claim");
  }
  const node = reference(subject.node);
  // A Pod's token names its node, but does not depend on it.
  if (node !== undefined && pod === undefined) {
    live("nodes", node.name, node, "node", "service account node ref claim");
  }
  return serviceAccountUser(namespace, account, { pod, node, credential: text(claims.jti) });
}

const invalidated = "service account token has been invalidated";

/**
 * Checks the times. A token from the future is accepted, because its signature shows that this server issued
 * it: the machine's clock was set back. A real server refuses it. Here that would lock out every Pod until
 * its token is renewed.
 */
function checkTime({ exp }: JsonObject, now: number): void {
  if (typeof exp === "number" && now - leeway > exp) throw new JwtError("service account token has expired");
}

interface UserExtras {
  pod?: ObjectName | undefined;
  node?: ObjectName | undefined;
  credential?: string;
}

/** Returns the user of a ServiceAccount (UserInfo of pkg/authentication/serviceaccount). */
export function serviceAccountUser(
  namespace: string,
  account: ObjectName,
  { pod, node, credential = "" }: UserExtras = {},
): UserInfo {
  const prefix = "authentication.kubernetes.io";
  const extra: Record<string, string[]> = {
    ...(credential === "" ? {} : { [`${prefix}/credential-id`]: [`JTI=${credential}`] }),
    ...(node === undefined ? {} : { [`${prefix}/node-name`]: [node.name] }),
    ...(node === undefined || node.uid === "" ? {} : { [`${prefix}/node-uid`]: [node.uid] }),
    ...(pod === undefined ? {} : { [`${prefix}/pod-name`]: [pod.name], [`${prefix}/pod-uid`]: [pod.uid] }),
  };
  return {
    username: usernameOf(namespace, account.name),
    uid: account.uid,
    groups: [...serviceAccountGroups(namespace), "system:authenticated"],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

export function usernameOf(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

function reference(value: JsonValue | undefined): ObjectName | undefined {
  return isJsonObject(value) ? { name: text(value.name), uid: text(value.uid) } : undefined;
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
