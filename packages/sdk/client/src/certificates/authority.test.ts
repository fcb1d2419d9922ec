import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAuthority, createServingCertificate, readAuthority } from "./authority.ts";
import { integer, oid, time, tlv } from "./der.ts";

const hour = 3_600_000;
const day = 24 * hour;
const now = Date.UTC(2026, 10, 21);

const openssl = (() => {
  try {
    return execFileSync("openssl", ["version"]).toString();
  } catch {
    return undefined;
  }
})();

describe("an authority", () => {
  test("signs certificates that Node's X509Certificate accepts", () => {
    const authority = createAuthority("webhooks", now, 365 * day);
    const own = new X509Certificate(authority.certificate);
    const pair = authority.issueServing(["hook.shop.svc", "127.0.0.1", "::1", "fd00::12:3"], now, 90 * day);
    const issued = new X509Certificate(pair.certificate);
    expect([own.ca, issued.ca]).toEqual([true, false]);
    expect(own.verify(own.publicKey)).toBe(true);
    expect(issued.verify(own.publicKey)).toBe(true);
    expect(issued.checkIssued(own)).toBe(true);
    expect(issued.checkHost("hook.shop.svc")).toBe("hook.shop.svc");
    expect(issued.checkHost("other.shop.svc")).toBeUndefined();
    expect(issued.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(issued.checkIP("::1")).toBe("::1");
    expect(issued.checkIP("fd00:0::12:3")).toBe("fd00:0::12:3");
    expect(issued.validFromDate.getTime()).toBe(now - hour);
    expect(issued.validToDate.getTime()).toBe(now + 90 * day);
  });

  test("issues a client certificate that names its user, and no server", () => {
    const authority = createAuthority("kubelets", now, 365 * day);
    const issued = new X509Certificate(authority.issueClient("kube-apiserver", now, day).certificate);
    expect(issued.verify(new X509Certificate(authority.certificate).publicKey)).toBe(true);
    expect([issued.subject, issued.keyUsage]).toEqual(["CN=kube-apiserver", ["1.3.6.1.5.5.7.3.2"]]);
    expect(issued.subjectAltName).toBeUndefined();
    expect(() => authority.issueClient("u".repeat(65), now, day)).toThrow("expected 1 to 64 characters");
  });

  test("issues no certificate that outlives it", () => {
    const authority = createAuthority("webhooks", now, 10 * day);
    const { certificate } = authority.issueServing(["a"], now, 90 * day);
    expect(new X509Certificate(certificate).validToDate.getTime()).toBe(now + 10 * day);
  });

  test("is unchanged after storing and reading it", () => {
    const { certificate, privateKey } = createAuthority("webhooks", now, 10 * day);
    const issued = readAuthority({ certificate, privateKey }).issueServing(["a"], now, day);
    const own = new X509Certificate(certificate);
    expect(new X509Certificate(issued.certificate).verify(own.publicKey)).toBe(true);
    expect(new X509Certificate(issued.certificate).checkIssued(own)).toBe(true);
  });

  test("of a server that never renews its certificate lasts ten years, and starts a year ago", () => {
    const { caCertificate, certificate } = createServingCertificate(["localhost"], now);
    for (const each of [caCertificate, certificate].map((pem) => new X509Certificate(pem))) {
      expect(each.validFromDate.getTime()).toBe(now - 365 * day - hour);
      expect(each.validToDate.getTime()).toBe(now + 3650 * day);
    }
    expect(new X509Certificate(certificate).checkIssued(new X509Certificate(caCertificate))).toBe(true);
  });

  test.each(["", "a b", "é.svc", "a\n"])("rejects %j as a name", (name) => {
    const authority = createAuthority("webhooks", now, day);
    expect(() => authority.issueServing([name], now, day)).toThrow("cannot be a name");
  });

  test.skipIf(!openssl)("signs certificates that openssl verify accepts, before and after 2050", () => {
    const folder = mkdtempSync(join(tmpdir(), "authority-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const at of [now, Date.UTC(2049, 11, 1), Date.UTC(2050, 0, 2)]) {
      const authority = createAuthority("webhooks", at, 10 * 365 * day);
      const pair = authority.issueServing(["hook.shop.svc", "10.0.0.1"], at, 90 * day);
      writeFileSync(join(folder, "ca.crt"), authority.certificate);
      writeFileSync(join(folder, "tls.crt"), pair.certificate);
      const verify = (seconds: number) =>
        execFileSync(
          "openssl",
          [
            ...["verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", "hook.shop.svc"],
            ...["-attime", String(seconds), "-CAfile", "ca.crt", "tls.crt"],
          ],
          { cwd: folder, stdio: "pipe" },
        ).toString();
      expect(verify(at / 1000)).toBe("tls.crt: OK\n");
      expect(() => verify((at + 91 * day) / 1000)).toThrow("certificate has expired");
    }
  });
});

describe("DER", () => {
  test("encodes lengths in the shortest form", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 70_000 }), (size) => {
        const encoded = tlv(0x04, Buffer.alloc(size, 1));
        const [, head = 0] = encoded;
        const extra = head < 0x80 ? 0 : head & 0x7f;
        const length = extra === 0 ? head : encoded.readUIntBE(2, extra);
        expect(length).toBe(size);
        expect(encoded.length).toBe(2 + extra + size);
        if (extra > 0) expect(encoded[2]).not.toBe(0);
      }),
    );
  });

  test("encodes positive integers, base-128 identifiers and years after 2050", () => {
    expect(integer(Buffer.from([0, 0, 0x80])).toString("hex")).toBe("02020080");
    expect(integer(Buffer.from([0])).toString("hex")).toBe("020100");
    expect(oid("1.2.840.10045.4.3.2").toString("hex")).toBe("06082a8648ce3d040302");
    expect(
      time(new Date(Date.UTC(2049, 11, 31, 23, 59, 59)))
        .subarray(2)
        .toString(),
    ).toBe("491231235959Z");
    expect(
      time(new Date(Date.UTC(2050, 0, 1)))
        .subarray(2)
        .toString(),
    ).toBe("20500101000000Z");
  });
});
