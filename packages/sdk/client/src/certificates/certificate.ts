import { type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { bits, boolean, explicit, implicit, integer, octets, oid, sequence, set, time, utf8 } from "./der.ts";

// Writes X.509 certificates (RFC 5280) with ECDSA P-256. node:crypto can read them but not write them.
// docs/decisions.md says why no library does this.

export interface CertificateParts {
  issuer: string;
  subject: string;
  notBefore: Date;
  notAfter: Date;
  publicKey: KeyObject;
  signingKey: KeyObject;
  extensions: readonly Buffer[];
}

const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));

/** @returns PEM */
export function encodeCertificate(parts: CertificateParts): string {
  // Clear the first bit to make the number positive, and set the second to avoid a leading zero byte.
  const serial = randomBytes(16);
  serial[0] = ((serial[0] as number) & 0x7f) | 0x40;
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))), // version 3
    integer(serial),
    ecdsaWithSha256,
    commonName(parts.issuer),
    sequence(time(parts.notBefore), time(parts.notAfter)),
    commonName(parts.subject),
    publicDer(parts.publicKey),
    explicit(3, sequence(...parts.extensions)),
  );
  return pem(sequence(toBeSigned, ecdsaWithSha256, bits(sign("sha256", toBeSigned, parts.signingKey))));
}

export function publicDer(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" });
}

export const extensions = {
  /** digitalSignature alone, or with keyCertSign and cRLSign. */
  keyUsage: (signsCertificates: boolean) =>
    extension(
      "2.5.29.15",
      signsCertificates ? bits(Buffer.from([0b10000110]), 1) : bits(Buffer.from([0b10000000]), 7),
      true,
    ),
  serverAuth: () => extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.1"))),
  clientAuth: () => extension("2.5.29.37", sequence(oid("1.3.6.1.5.5.7.3.2"))),
  basicConstraints: (isAuthority: boolean) =>
    extension("2.5.29.19", isAuthority ? sequence(boolean(true)) : sequence(), true),
  subjectKeyIdentifier: (identifier: Uint8Array) => extension("2.5.29.14", octets(identifier)),
  authorityKeyIdentifier: (identifier: Uint8Array) =>
    extension("2.5.29.35", sequence(implicit(0, identifier))),
  subjectAlternativeNames: (names: readonly string[]) =>
    extension("2.5.29.17", sequence(...names.map(alternativeName))),
};

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value));
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(oid("2.5.4.3"), utf8(name))));
}

function alternativeName(name: string): Buffer {
  if (isIP(name) === 4) return implicit(7, Buffer.from(name.split(".").map(Number)));
  if (isIP(name) === 6) return implicit(7, ipv6Bytes(name));
  return implicit(2, Buffer.from(name));
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser converts a dotted end, and compresses zeros.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, "0")).join(""), "hex");
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
