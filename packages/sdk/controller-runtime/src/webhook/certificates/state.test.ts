import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { advance, bundleOf, type CertificateLifetimes, type CertificateState } from "./state.ts";

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 10, 21);
const lifetimes: CertificateLifetimes = {
  servingValidity: 90 * day,
  servingRenewBefore: 30 * day,
  authorityValidity: 5 * 365 * day,
  authorityRenewBefore: 365 * day,
  propagation: hour,
};
const names = ["hook.shop.svc"];
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

// The same few certificates are parsed thousands of times.
const known = new Map<string, X509Certificate>();
const signed = new Map<string, boolean>();

function parsed(text: string): X509Certificate {
  const certificate = known.get(text) ?? new X509Certificate(text);
  known.set(text, certificate);
  return certificate;
}

const certificates = (bundle: string) =>
  bundle
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter(Boolean)
    .map(parsed);

function hasSigned(authority: X509Certificate, leaf: X509Certificate): boolean {
  const both = `${authority.fingerprint256} ${leaf.fingerprint256}`;
  const answer = signed.get(both) ?? (leaf.checkIssued(authority) && leaf.verify(authority.publicKey));
  signed.set(both, answer);
  return answer;
}

/** Returns whether a client with the bundle trusts the certificate. */
function trusts(bundle: string, certificate: string, at: number): boolean {
  const isValid = (each: X509Certificate) =>
    each.validFromDate.getTime() <= at && at < each.validToDate.getTime();
  const leaf = parsed(certificate);
  return isValid(leaf) && certificates(bundle).some((each) => isValid(each) && hasSigned(each, leaf));
}

describe("over the years", () => {
  test("clients with the current or the previous bundle trust the served certificate", () => {
    let state = advance(undefined, { now: start, names, lifetimes, injected: false });
    const authorities = new Set<string>();
    let servings = 0;
    for (let now = start; now < start + 20 * 365 * day; now += 10 * day) {
      for (const at of [now, now + hour]) {
        const before: CertificateState = state;
        state = advance(before, { now: at, names, lifetimes, injected: true });
        if (state.serving !== before.serving) servings += 1;
        authorities.add(state.authority.certificate);
        expect(trusts(bundleOf(before), state.serving.certificate, at)).toBe(true);
        expect(trusts(bundleOf(state), before.serving.certificate, at)).toBe(true);
        expect(certificates(bundleOf(state)).length).toBeLessThan(3);
        const left = parsed(state.serving.certificate).validToDate.getTime() - at;
        expect(left).toBeGreaterThan(19 * day);
      }
    }
    // Each authority signs for four years.
    expect(authorities.size).toBe(5);
    // Every 60 days, and with each authority.
    expect(servings).toBeGreaterThan(110);
    expect(servings).toBeLessThan(130);
  });

  test("an authority that is not injected everywhere signs nothing while the old one is valid", () => {
    let state = advance(undefined, { now: start, names, lifetimes, injected: true });
    const first = state.authority;
    const end = start + lifetimes.authorityValidity;
    for (let now = start; now < end; now += 7 * day) {
      state = advance(state, { now, names, lifetimes, injected: false });
      expect(state.authority).toBe(first);
      expect(trusts(first.certificate, state.serving.certificate, now)).toBe(true);
    }
    expect(state.nextAuthority).toBeDefined();
    // An authority that some clients know is better than a new one that none knows.
    const next = state.nextAuthority;
    state = advance(state, { now: end, names, lifetimes, injected: false });
    expect(state.authority).toBe(next);
    expect(trusts(bundleOf(state), state.serving.certificate, end)).toBe(true);
  });

  test("an authority signs only after the propagation time", () => {
    const situation = { names, lifetimes, injected: true };
    const due = start + lifetimes.authorityValidity - lifetimes.authorityRenewBefore;
    const first = advance(undefined, { ...situation, now: start });
    const both = advance(first, { ...situation, now: due });
    expect(both.authority).toBe(first.authority);
    expect(certificates(bundleOf(both))).toHaveLength(2);
    expect(advance(both, { ...situation, now: due + hour - 1 })).toBe(both);
    const promoted = advance(both, { ...situation, now: due + hour });
    expect(promoted.authority).toBe(both.nextAuthority);
    expect(promoted.former).toEqual([first.authority.certificate]);
  });

  test("replicas that check at any time never serve a certificate that another's bundle does not trust", () => {
    const short: CertificateLifetimes = {
      ...{ servingValidity: 10 * day, servingRenewBefore: 4 * day },
      ...{ authorityValidity: 40 * day, authorityRenewBefore: 20 * day, propagation: day },
    };
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(12)), { minLength: 50, maxLength: 150 }), (looks) => {
        let now = start;
        let shared = advance(undefined, { now, names, lifetimes: short, injected: false });
        let injected = bundleOf(shared);
        const serving = [shared, shared, shared].map((state) => state.serving);
        const seen = [now, now, now];
        for (const [replica, hours] of looks) {
          now += hours * hour;
          const isInjected = injected === bundleOf(shared);
          shared = advance(shared, { now, names, lifetimes: short, injected: isInjected });
          serving[replica] = shared.serving;
          seen[replica] = now;
          injected = bundleOf(shared);
          for (const [index, pair] of serving.entries()) {
            // A replica that has not checked for four days may serve an expired certificate.
            if (now - (seen[index] ?? 0) >= short.servingRenewBefore) continue;
            expect(trusts(injected, pair.certificate, now)).toBe(true);
          }
        }
      }),
      { numRuns: 10 },
    );
  });
});

test("adds missing names to the present ones, and drops others at the renewal", () => {
  const situation = { now: start, lifetimes, injected: true };
  const one = advance(undefined, { ...situation, names: ["a.svc", "::1"] });
  expect(advance(one, { ...situation, names: ["::1", "A.svc"] })).toBe(one);
  const two = advance(one, { ...situation, names: ["b.svc"] });
  const alternatives = ({ serving }: CertificateState) =>
    new X509Certificate(serving.certificate).subjectAltName;
  expect(alternatives(two)).toBe("DNS:a.svc, IP Address:0:0:0:0:0:0:0:1, DNS:b.svc");
  expect(advance(two, { ...situation, names: ["a.svc", "::1"] })).toBe(two);
  const later = advance(two, { ...situation, now: start + 61 * day, names: ["b.svc"] });
  expect(alternatives(later)).toBe("DNS:b.svc");
});

describe("certificates from other sources", () => {
  const situation = { now: start, names, lifetimes, injected: true };

  test("replaces a serving certificate that no authority has signed", () => {
    const [ours, other] = [advance(undefined, situation), advance(undefined, situation)];
    const mended = advance({ ...ours, serving: other.serving }, situation);
    expect(mended.authority).toBe(ours.authority);
    expect(trusts(bundleOf(ours), mended.serving.certificate, start)).toBe(true);
  });

  test("issues a missing serving certificate again, and keeps its authority", () => {
    const { serving: _, ...ours } = advance(undefined, situation);
    const mended = advance(ours, situation);
    expect(trusts(bundleOf(ours), mended.serving.certificate, start)).toBe(true);
  });

  test("replaces certificates from a clock that was years ahead", () => {
    const ahead = advance(undefined, { ...situation, now: start + 10 * 365 * day });
    const mended = advance(ahead, situation);
    expect(trusts(bundleOf(mended), mended.serving.certificate, start)).toBe(true);
    expect(bundleOf(mended)).not.toContain(ahead.authority.certificate);
    // A difference of an hour is tolerated.
    const early = advance(undefined, { ...situation, now: start + 2 * hour - 1_000 });
    expect(advance(early, situation)).toBe(early);
  });

  test.skipIf(!hasOpenssl)("keeps trusting cert-controller's authority, and its successor signs", () => {
    // openssl uses the machine's clock.
    const now = Date.now();
    const [theirs, ending] = foreignStates(90, 10);
    const first = advance(theirs, { ...situation, now });
    expect(first.serving).toBe(theirs.serving);
    expect(bundleOf(first)).toContain(theirs.authority.certificate);
    const second = advance(first, { ...situation, now: now + hour });
    expect(trusts(bundleOf(first), second.serving.certificate, now + hour)).toBe(true);
    expect(trusts(bundleOf(second), theirs.serving.certificate, now + hour)).toBe(true);

    const due = advance(ending, { ...situation, now });
    expect(trusts(bundleOf(due), due.serving.certificate, now)).toBe(true);
    expect(new X509Certificate(due.serving.certificate).issuer).toBe("CN=webhook-ca");
  });
});

/**
 * Returns states as cert-controller and many scripts create them: RSA, with an organization in the name. They
 * differ only in the days of their serving certificates, because RSA keys are slow to create.
 */
function foreignStates(...days: [number, number]): [CertificateState, CertificateState] {
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const openssl = (args: string) =>
    execFileSync("openssl", args.split(" "), { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const key = "-newkey rsa:2048 -noenc";
  openssl(`req -x509 ${key} -keyout ca.key -out ca.crt -subj /O=theirs/CN=ca -days 3650`);
  openssl(`req ${key} -keyout tls.key -out tls.csr -subj /CN=hook -addext subjectAltName=DNS:${names[0]}`);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const signed = (validity: number): CertificateState => {
    openssl(
      `x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -copy_extensions copy -out tls.crt -days ${validity}`,
    );
    return {
      authority: { certificate: read("ca.crt"), privateKey: read("ca.key") },
      serving: { certificate: read("tls.crt"), privateKey: read("tls.key") },
      former: [],
    };
  };
  return [signed(days[0]), signed(days[1])];
}
