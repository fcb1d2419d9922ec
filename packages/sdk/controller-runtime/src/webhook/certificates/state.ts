import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import {
  canSign,
  clockSkew,
  createAuthority,
  type KeyPair,
  readAuthority,
} from "@operator-path/client/certificates";

/** The certificates that an operator's replicas share. */
export interface CertificateState {
  /** The certificate of the webhook server. */
  readonly serving: KeyPair;
  /** Signs serving certificates. */
  readonly authority: KeyPair;
  /** Will sign them once every API server trusts it. */
  readonly nextAuthority?: KeyPair;
  /**
   * Expiring authorities in PEM that are still trusted, because a replica may still serve their certificates.
   */
  readonly former: readonly string[];
}

/** The state in a Secret, whose serving certificate may be damaged. */
export type StoredCertificates = Omit<CertificateState, "serving"> & { readonly serving?: KeyPair };

/** Milliseconds. */
export interface CertificateLifetimes {
  servingValidity: number;
  /** Time before its end when a serving certificate is replaced. */
  servingRenewBefore: number;
  authorityValidity: number;
  /** Time before its end when an authority's successor is published. */
  authorityRenewBefore: number;
  /** Time between publishing an authority and signing with it, in which API servers learn of it. */
  propagation: number;
}

export interface Situation {
  /** Milliseconds since the epoch. */
  now: number;
  /** Names of the serving certificate. */
  names: readonly string[];
  lifetimes: CertificateLifetimes;
  /** Whether everything that must trust the state's authorities has them. */
  injected: boolean;
}

/** Returns the trusted authorities in PEM, with the signing one first. */
export function bundleOf({ authority, nextAuthority, former }: StoredCertificates): string {
  return [authority.certificate, ...(nextAuthority ? [nextAuthority.certificate] : []), ...former].join("");
}

/**
 * Returns the next state, or the same object when nothing is due. An authority signs only after it has been
 * in the bundle for a while, and stays there until it expires. So clients trust every certificate that a
 * replica serves.
 *
 * Replaces what others have stored: a serving certificate that no authority has signed, certificates from a
 * clock far ahead, and, in time, an authority from another source (which stays trusted).
 */
export function advance(state: StoredCertificates | undefined, situation: Situation): CertificateState {
  const { now, lifetimes } = situation;
  const nextAuthority = state?.nextAuthority;
  const isOver = state !== undefined && !isCurrent(state.authority, now);
  if (!state || (isOver && !(nextAuthority && isCurrent(nextAuthority, now)))) {
    const authority = newAuthority(situation);
    return { authority, former: [], serving: issue(authority, situation) };
  }
  let next = forget(state, now);
  const { authority } = next;
  if (nextAuthority && (mayPromote(nextAuthority, situation) || isOver)) {
    next = promoted(next, nextAuthority, situation);
  } else if (!nextAuthority && isDue(authority, now, lifetimes)) {
    next = { ...next, nextAuthority: newAuthority(situation) };
  }
  const names = namesWanted(next, situation);
  if (!names) return withServing(next);
  const asked = { ...situation, names };
  // Its signatures would be invalid, so its successor must start at once.
  if (!canSign(next.authority)) return promoted(next, next.nextAuthority ?? newAuthority(situation), asked);
  return { ...next, serving: issue(next.authority, asked) };
}

function promoted(state: StoredCertificates, authority: KeyPair, situation: Situation): CertificateState {
  const former = [state.authority.certificate, ...state.former];
  return {
    authority,
    former: former.filter((certificate) => isCurrent({ certificate }, situation.now)),
    serving: issue(authority, situation),
  };
}

/** Call it only when no new serving certificate is due. */
function withServing(state: StoredCertificates): CertificateState {
  return state as CertificateState;
}

/** Returns whether an authority needs a successor. */
function isDue(authority: KeyPair, now: number, { authorityRenewBefore }: CertificateLifetimes): boolean {
  return endOf(authority) - now <= authorityRenewBefore || !canSign(authority);
}

/**
 * Returns whether a certificate has not expired, and its start is not in the future beyond the usual clock
 * skew.
 */
function isCurrent(pair: Pick<KeyPair, "certificate">, now: number): boolean {
  return endOf(pair) > now && beginOf(pair) <= now + clockSkew;
}

function mayPromote(next: KeyPair, { now, injected, lifetimes }: Situation): boolean {
  const madeAt = beginOf(next) + clockSkew;
  return injected && now - madeAt >= lifetimes.propagation;
}

/** Drops expired authorities. */
function forget(state: StoredCertificates, now: number): StoredCertificates {
  const former = state.former.filter((certificate) => isCurrent({ certificate }, now));
  return former.length === state.former.length ? state : { ...state, former };
}

/** Returns the names of a new serving certificate, or undefined when none is due. */
function namesWanted(
  state: StoredCertificates,
  { now, names, lifetimes }: Situation,
): readonly string[] | undefined {
  const { serving, authority } = state;
  if (!serving || !isCurrent(serving, now) || !isTrusted(serving, state)) return names;
  const end = endOf(serving);
  // A certificate that ends with its authority need not be replaced: a new one would end at the same time.
  const wouldLastLonger =
    Math.min(now + lifetimes.servingValidity, endOf(authority)) > end || !canSign(authority);
  if (end - now <= lifetimes.servingRenewBefore && wouldLastLonger) return names;
  const present = namesOf(serving);
  const missing = names.filter((name) => !present.includes(canonical(name)));
  // Keep the present names: a replica of another version may need them, and would issue a certificate
  // without ours.
  return missing.length > 0 ? [...present, ...missing] : undefined;
}

function isTrusted(
  { certificate }: KeyPair,
  { authority, nextAuthority, former }: StoredCertificates,
): boolean {
  const leaf = parse(certificate);
  const trusted = [authority.certificate, ...(nextAuthority ? [nextAuthority.certificate] : []), ...former];
  return trusted
    .map((each) => parse(each))
    .some((each) => leaf.checkIssued(each) && leaf.verify(each.publicKey));
}

function newAuthority({ now, lifetimes }: Situation): KeyPair {
  const { certificate, privateKey } = createAuthority("webhook-ca", now, lifetimes.authorityValidity);
  return { certificate, privateKey };
}

function issue(authority: KeyPair, { now, names, lifetimes }: Situation): KeyPair {
  return readAuthority(authority).issueServing(names, now, lifetimes.servingValidity);
}

function endOf({ certificate }: Pick<KeyPair, "certificate">): number {
  return parse(certificate).validToDate.getTime();
}

function beginOf({ certificate }: Pick<KeyPair, "certificate">): number {
  return parse(certificate).validFromDate.getTime();
}

function namesOf({ certificate }: KeyPair): string[] {
  const { subjectAltName = "" } = parse(certificate);
  return subjectAltName.split(", ").map((name) => canonical(name.replace(/^(DNS|IP Address):/, "")));
}

/** IPv6 addresses have several notations. */
function canonical(name: string): string {
  return isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();
}

/** The certificates of the last checks. A check reads the same few several times, and seldom new ones. */
const parsed = new Map<string, X509Certificate>();

function parse(certificate: string): X509Certificate {
  const known = parsed.get(certificate);
  if (known) return known;
  if (parsed.size >= 16) parsed.clear();
  const fresh = new X509Certificate(certificate);
  parsed.set(certificate, fresh);
  return fresh;
}
