import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";
import {
  bits,
  boolean,
  explicit,
  implicit,
  integer,
  octets,
  oid,
  sequence,
  set,
  utcTime,
  utf8,
} from "./der.ts";

/** The certificates of an HTTPS server, and the authority that its clients must trust. All PEM. */
export interface ServingCertificate extends KeyPair {
  /** The authority's certificate for kubeconfigs. Its key is not stored. */
  caCertificate: string;
}

const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));

/** A certificate and its key, as PEM. */
export interface KeyPair {
  certificate: string;
  privateKey: string;
}

/** Signs certificates. Never reveals its key. */
export interface CertificateAuthority {
  /** PEM. */
  certificate: string;
  /** Returns a server certificate for DNS names and IPv4 addresses. */
  issueServing(commonName: string, names: readonly string[]): KeyPair;
  /** Returns a client certificate with this common name. */
  issueClient(commonName: string): KeyPair;
}

/**
 * Creates an authority that issues certificates valid for ten years. They are never renewed, because each
 * process creates its own. They are valid from a year before `now`, in case the machine's clock is set back.
 * The keys are ECDSA P-256: creating one takes a millisecond, an RSA key hundreds.
 *
 * This module encodes certificates itself. The libraries on npm patch globals at import (reflect-metadata),
 * or load more slowly than the whole server starts.
 */
export function createAuthority(name: string, now: Date): CertificateAuthority {
  const ca = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const caName = commonName(name);
  const keyIdentifier = createHash("sha1").update(publicDer(ca.publicKey)).digest();
  const year = 365 * 24;
  const validity = sequence(utcTime(hoursAfter(now, -year)), utcTime(hoursAfter(now, 10 * year)));

  function issue(subject: string, usage: string, further: Buffer[]): KeyPair {
    const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const encoded = certificate({
      issuer: caName,
      subject: commonName(subject),
      validity,
      publicKey: keys.publicKey,
      signingKey: ca.privateKey,
      extensions: [
        extension("2.5.29.15", bits(Buffer.from([0b10000000]), 7), true), // digitalSignature
        extension("2.5.29.37", sequence(oid(usage))),
        extension("2.5.29.19", sequence(), true), // basicConstraints: not a CA
        extension("2.5.29.35", sequence(implicit(0, keyIdentifier))),
        ...further,
      ],
    });
    return {
      certificate: pem(encoded),
      privateKey: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
  }

  const own = certificate({
    issuer: caName,
    subject: caName,
    validity,
    publicKey: ca.publicKey,
    signingKey: ca.privateKey,
    extensions: [
      extension("2.5.29.15", bits(Buffer.from([0b10100100]), 2), true), // digitalSignature, keyEncipherment, keyCertSign
      extension("2.5.29.19", sequence(boolean(true)), true), // basicConstraints: CA
      extension("2.5.29.14", octets(keyIdentifier)),
    ],
  });
  return {
    certificate: pem(own),
    issueServing: (subject, names) =>
      issue(subject, "1.3.6.1.5.5.7.3.1", [extension("2.5.29.17", sequence(...names.map(alternativeName)))]),
    issueClient: (subject) => issue(subject, "1.3.6.1.5.5.7.3.2", []),
  };
}

/** Creates an authority and one serving certificate. */
export function createServingCertificate(names: string[], now: Date): ServingCertificate {
  const authority = createAuthority("operator-path-ca", now);
  return { caCertificate: authority.certificate, ...authority.issueServing("kube-apiserver", names) };
}

interface CertificateParts {
  issuer: Buffer;
  subject: Buffer;
  validity: Buffer;
  publicKey: KeyObject;
  signingKey: KeyObject;
  extensions: Buffer[];
}

/** Encodes a certificate: RFC 5280, section 4.1. */
function certificate(parts: CertificateParts): Buffer {
  // The first bit is 0 for a positive number, the second is 1 against a leading zero.
  const serial = randomBytes(16);
  serial[0] = ((serial[0] as number) & 0x7f) | 0x40;
  const toBeSigned = sequence(
    explicit(0, integer(Buffer.from([2]))), // version 3
    integer(serial),
    ecdsaWithSha256,
    parts.issuer,
    parts.validity,
    parts.subject,
    publicDer(parts.publicKey),
    explicit(3, sequence(...parts.extensions)),
  );
  return sequence(toBeSigned, ecdsaWithSha256, bits(sign("sha256", toBeSigned, parts.signingKey)));
}

function publicDer(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" });
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(oid("2.5.4.3"), utf8(name))));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value));
}

function alternativeName(name: string): Buffer {
  return isIPv4(name)
    ? implicit(7, Buffer.from(name.split(".").map(Number)))
    : implicit(2, Buffer.from(name));
}

function hoursAfter(date: Date, hours: number): Date {
  return new Date(date.getTime() + hours * 3_600_000);
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
