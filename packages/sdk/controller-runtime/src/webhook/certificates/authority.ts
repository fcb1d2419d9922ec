import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import type { KeyPair } from "../server/certificate-source.ts";
import { encodeCertificate, extensions, publicDer } from "./certificate.ts";

/**
 * Tolerated clock difference in milliseconds. Certificates are valid from this long before their creation.
 */
export const clockSkew = 60 * 60_000;

/** Signs certificates. */
export interface Authority extends KeyPair {
  /**
   * Issues a serving certificate for DNS names and IP addresses. It is valid for `validity` milliseconds, but
   * never longer than the authority.
   *
   * @throws TypeError when a name is invalid
   */
  issueServing(names: readonly string[], now: number, validity: number): KeyPair;
}

/** @param validity milliseconds */
export function createAuthority(name: string, now: number, validity: number): Authority {
  const { publicKey, privateKey } = newKeys();
  const certificate = encodeCertificate({
    ...{ issuer: name, subject: name, publicKey, signingKey: privateKey },
    notBefore: new Date(now - clockSkew),
    notAfter: new Date(now + validity),
    extensions: [
      extensions.keyUsage(true),
      extensions.basicConstraints(true),
      extensions.subjectKeyIdentifier(identifierOf(publicKey)),
    ],
  });
  return readAuthority({ certificate, privateKey: pkcs8(privateKey) });
}

/**
 * Reads a stored authority.
 *
 * @throws Error when the pair cannot be read
 */
export function readAuthority(pair: KeyPair): Authority {
  const parsed = new X509Certificate(pair.certificate);
  const signingKey = createPrivateKey(pair.privateKey);
  const issuer = commonNameOf(parsed);
  return {
    certificate: pair.certificate,
    privateKey: pair.privateKey,
    issueServing(names, now, validity) {
      const [first] = names;
      if (first === undefined) throw new TypeError("a serving certificate needs a name or an address");
      for (const name of names) checkName(name);
      const { publicKey, privateKey } = newKeys();
      const certificate = encodeCertificate({
        // A common name has at most 64 characters. Clients check only the alternative names.
        ...{ issuer, subject: first.slice(0, 64), publicKey, signingKey },
        notBefore: new Date(now - clockSkew),
        notAfter: new Date(Math.min(now + validity, parsed.validToDate.getTime())),
        extensions: [
          extensions.keyUsage(false),
          extensions.serverAuth(),
          extensions.basicConstraints(false),
          extensions.authorityKeyIdentifier(identifierOf(parsed.publicKey)),
          extensions.subjectKeyIdentifier(identifierOf(publicKey)),
          extensions.subjectAlternativeNames(names),
        ],
      });
      return { certificate, privateKey: pkcs8(privateKey) };
    },
  };
}

/**
 * Returns whether this package can sign with an authority: it needs a P-256 key and only a common name. An
 * authority of cert-controller has an RSA key and an organization.
 */
export function canSign({ certificate, privateKey }: KeyPair): boolean {
  const { asymmetricKeyDetails } = createPrivateKey(privateKey);
  return (
    asymmetricKeyDetails?.namedCurve === "prime256v1" &&
    /^CN=[^\n]+$/.test(new X509Certificate(certificate).subject)
  );
}

function newKeys() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function pkcs8(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function identifierOf(key: KeyObject): Buffer {
  return createHash("sha1").update(publicDer(key)).digest();
}

function commonNameOf({ subject }: X509Certificate): string {
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? "";
}

function checkName(name: string): void {
  if (/^[\x21-\x7e]{1,253}$/.test(name)) return;
  throw new TypeError(`${JSON.stringify(name)} cannot be the name of a serving certificate`);
}
