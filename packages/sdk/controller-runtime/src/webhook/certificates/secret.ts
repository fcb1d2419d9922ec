import { X509Certificate } from "node:crypto";
import { isAlreadyExists, isConflict, isNotFound, type Secret, secrets } from "@operator-path/client";
import type { KeyPair } from "@operator-path/client/certificates";
import type { ObjectKey } from "../../client/object-key.ts";
import type { Reader } from "../../client/reader.ts";
import type { Writer } from "../../client/writer.ts";
import { checkKeyPair } from "../server/key-pair.ts";
import { bundleOf, type CertificateState, type StoredCertificates } from "./state.ts";

/** A reader that bypasses the cache, and a writer. */
export interface CertificateClients {
  reader: Reader;
  writer: Pick<Writer, "create" | "update" | "patch">;
}

export interface StoredState {
  /** undefined: missing or unreadable. */
  readonly state?: StoredCertificates;
  /** Why stored certificates cannot be read and must be issued again. */
  readonly damage?: string;
  /** The Secret as it was read. undefined if it does not exist. */
  readonly secret?: Secret;
}

/** The Secret cannot be used, and a person must fix it. */
export class UnusableSecretError extends Error {}

/**
 * The Secret that replicas share, of the type kubernetes.io/tls. It holds tls.crt, tls.key, ca.key, and
 * ca.crt with all trusted authorities.
 */
export interface CertificateSecret {
  /** @throws UnusableSecretError when it holds a certificate from another source */
  load(signal: AbortSignal): Promise<StoredState>;
  /** @returns false when another client has written it in the meantime: load it again */
  save(state: CertificateState, over: Secret | undefined): Promise<boolean>;
}

export function createCertificateSecret(
  { reader, writer }: CertificateClients,
  { namespace = "", name }: ObjectKey,
): CertificateSecret {
  const what = `the Secret ${namespace}/${name}`;
  return {
    async load(signal) {
      try {
        const secret = await reader.get(secrets, { namespace, name }, { signal });
        return { secret, ...decodeState(secret, what) };
      } catch (error) {
        if (isNotFound(error)) return {};
        throw error;
      }
    },
    async save(state, over) {
      const data = encodeState(state);
      try {
        if (over)
          await writer.update<Secret>({ ...typed, ...over, data: { ...without(over.data), ...data } });
        else {
          const metadata = { namespace, name };
          await writer.create<Secret>({ ...typed, type: "kubernetes.io/tls", metadata, data });
        }
        return true;
      } catch (error) {
        if (isAlreadyExists(error) || isConflict(error) || (over && isNotFound(error))) return false;
        throw error;
      }
    },
  };
}

const typed = { apiVersion: "v1", kind: "Secret" };
const ours = ["tls.crt", "tls.key", "ca.crt", "ca.key", "next-ca.crt", "next-ca.key"];

function without(data: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !ours.includes(key)));
}

function encodeState(state: CertificateState): Record<string, string> {
  const { serving, authority, nextAuthority } = state;
  const texts = {
    "tls.crt": serving.certificate,
    "tls.key": serving.privateKey,
    "ca.crt": bundleOf(state),
    "ca.key": authority.privateKey,
    ...(nextAuthority && {
      "next-ca.crt": nextAuthority.certificate,
      "next-ca.key": nextAuthority.privateKey,
    }),
  };
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]),
  );
}

function decodeState({ data = {} }: Secret, what: string): Omit<StoredState, "secret"> {
  const text = (key: string) => Buffer.from(data[key] ?? "", "base64").toString();
  // An empty Secret may exist for its labels.
  if (ours.every((key) => text(key) === "")) return {};
  if (text("ca.key") === "") {
    throw new UnusableSecretError(
      `${what} holds a certificate from another source (it has no ca.key): use another Secret, or mount this one and remove issueCertificates`,
    );
  }
  const pair = (certificate: string, key: string): KeyPair => {
    const found = { certificate, privateKey: text(key) };
    checkKeyPair(found, `${key} of ${what}`);
    return found;
  };
  let trusted: StoredCertificates;
  try {
    const [first = "", ...rest] = certificatesOf(text("ca.crt"));
    const hasNext = text("next-ca.crt") !== "";
    const former = hasNext ? rest.slice(1) : rest;
    for (const each of former) new X509Certificate(each);
    trusted = {
      authority: pair(first, "ca.key"),
      ...(hasNext && { nextAuthority: pair(text("next-ca.crt"), "next-ca.key") }),
      former,
    };
  } catch (error) {
    return { damage: messageOf(error) };
  }
  try {
    return { state: { ...trusted, serving: pair(text("tls.crt"), "tls.key") } };
  } catch (error) {
    // Clients still trust the authority.
    return { state: trusted, damage: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function certificatesOf(bundle: string): string[] {
  return bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
}
