import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  X509Certificate,
} from "node:crypto";
import { encodeCertificate, extensions, publicDer } from "./certificate.ts";

/** A certificate, followed by intermediate authorities, and its key. PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

/** A server's key pair, and the certificate that its clients must trust. PEM. */
export interface ServingCertificate extends KeyPair {
  readonly caCertificate: string;
}

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
  /**
   * Issues a client certificate for a user. It is valid for `validity` milliseconds, but never longer than
   * the authority.
   *
   * @throws TypeError when the user's name is invalid, or longer than 64 characters
   */
  issueClient(user: string, now: number, validity: number): KeyPair;
}

/**
 * Creates an authority with a P-256 key, because creating an RSA key takes up to hundreds of milliseconds.
 *
 * @param now milliseconds since 1970
 * @param validity milliseconds
 */
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
  function issue(subject: string, now: number, validity: number, further: readonly Buffer[]): KeyPair {
    const { publicKey, privateKey } = newKeys();
    const certificate = encodeCertificate({
      ...{ issuer, subject, publicKey, signingKey },
      notBefore: new Date(now - clockSkew),
      notAfter: new Date(Math.min(now + validity, parsed.validToDate.getTime())),
      extensions: [
        extensions.keyUsage(false),
        extensions.basicConstraints(false),
        extensions.authorityKeyIdentifier(identifierOf(parsed.publicKey)),
        extensions.subjectKeyIdentifier(identifierOf(publicKey)),
        ...further,
      ],
    });
    return { certificate, privateKey: pkcs8(privateKey) };
  }

  return {
    certificate: pair.certificate,
    privateKey: pair.privateKey,
    issueServing(names, now, validity) {
      const [first] = names;
      if (first === undefined) throw new TypeError("a serving certificate needs a name or an address");
      for (const name of names) checkName(name, 253);
      // A common name has at most 64 characters. Clients check only the alternative names.
      return issue(first.slice(0, 64), now, validity, [
        extensions.serverAuth(),
        extensions.subjectAlternativeNames(names),
      ]);
    },
    issueClient(user, now, validity) {
      checkName(user, 64);
      return issue(user, now, validity, [extensions.clientAuth()]);
    },
  };
}

/**
 * Issues a serving certificate for DNS names and IP addresses, from an authority of its own whose key is
 * discarded. Valid for ten years, for a process that never renews it, and from a year before `now`, in case
 * the machine's clock is set back.
 *
 * @param now milliseconds since 1970
 * @throws TypeError when a name is invalid
 */
export function createServingCertificate(names: readonly string[], now: number): ServingCertificate {
  const year = 365 * 24 * 3_600_000;
  const authority = createAuthority("operator-path-ca", now - year, 11 * year);
  return {
    caCertificate: authority.certificate,
    ...authority.issueServing(names, now - year, 11 * year),
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

function checkName(name: string, length: number): void {
  if (/^[\x21-\x7e]+$/.test(name) && name.length <= length) return;
  throw new TypeError(
    `${JSON.stringify(name)} cannot be a name in a certificate (expected 1 to ${length} characters of ASCII, without spaces)`,
  );
}
