import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { CredentialsError } from "./credential.ts";
import type { User } from "./kube-config-data.ts";

/** A client certificate and its key, both PEM. */
export interface ClientPair {
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
}

/**
 * Reads the credentials of a kubeconfig from files or inline data. It reads files again when they change.
 * While a file is being written (missing, empty, or a certificate without its new key), the previous
 * credentials stay in use.
 */
export interface CredentialFiles {
  /**
   * Returns the bytes of a file, otherwise of base64 data. Returns the same Buffer until the file changes:
   * connections detect changes by its identity.
   *
   * @throws Error when the file cannot be read
   */
  bytesOf(file: string | undefined, data: string | undefined): Buffer | undefined;
  /**
   * Returns the token in the file, otherwise its previous token, otherwise the user's `token`
   * (client-go: NewBearerAuthWithRefreshRoundTripper).
   *
   * @throws CredentialsError when all three are missing
   */
  tokenOf(user: User, file: string): string;
  /**
   * Returns the certificate and key. While they do not match, returns the previous matching pair, if there is
   * one.
   *
   * @throws Error when a file cannot be read and there is no previous pair
   */
  pairOf(user: User): ClientPair;
}

export function createCredentialFiles(): CredentialFiles {
  const files = new Map<string, { stamp: string; bytes: Buffer }>();
  const decoded = new Map<string, Buffer>();
  const tokens = new Map<string, string>();
  const pairs = new WeakMap<User, { whole?: ClientPair; broken?: ClientPair }>();

  function read(file: string): Buffer {
    const { mtimeMs, size, ino } = statSync(file);
    const stamp = `${mtimeMs} ${size} ${ino}`;
    const known = files.get(file);
    if (known?.stamp === stamp) return known.bytes;
    const bytes = readFileSync(file);
    files.set(file, { stamp, bytes });
    return bytes;
  }

  function bytesOf(file: string | undefined, data: string | undefined): Buffer | undefined {
    if (file) return read(file);
    if (!data) return undefined;
    let bytes = decoded.get(data);
    if (!bytes) {
      bytes = Buffer.from(data, "base64");
      decoded.set(data, bytes);
    }
    return bytes;
  }

  const inKubeConfig = ({ certFile, certData, keyFile, keyData }: User): ClientPair => ({
    cert: bytesOf(certFile, certData),
    key: bytesOf(keyFile, keyData),
  });

  return {
    bytesOf,
    tokenOf(user, file) {
      let reason = "is empty";
      try {
        const token = read(file).toString("utf8").trim();
        if (token !== "") {
          tokens.set(file, token);
          return token;
        }
      } catch (error) {
        reason = `cannot be read: ${(error as Error).message}`;
      }
      const other = tokens.get(file) ?? user.token;
      if (other) return other;
      throw new CredentialsError(
        `the tokenFile ${file} of the kubeconfig's user ${JSON.stringify(user.name)} ${reason}: check that it is mounted and that its writer runs`,
      );
    },
    pairOf(user) {
      if (!user.certFile && !user.keyFile) return inKubeConfig(user);
      const known = pairs.get(user) ?? {};
      let found: ClientPair;
      try {
        found = inKubeConfig(user);
      } catch (error) {
        if (known.whole) return known.whole;
        throw error;
      }
      if (isSame(found, known.whole)) return found;
      const isBroken = isSame(found, known.broken) || !fits(found);
      pairs.set(user, isBroken ? { ...known, broken: found } : { whole: found });
      return isBroken ? (known.whole ?? found) : found;
    },
  };
}

function isSame(one: ClientPair, other: ClientPair | undefined): boolean {
  return one.cert === other?.cert && one.key === other?.key;
}

function fits({ cert, key }: ClientPair): boolean {
  try {
    return Boolean(cert && key && new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)));
  } catch {
    return false;
  }
}
