import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { KeyPair } from "../server/certificate-source.ts";
import { canSign, clockSkew, createAuthority, readAuthority } from "./authority.ts";

/** What the replicas of an operator share. */
export interface CertificateState {
  /** Of the webhook server. */
  readonly serving: KeyPair;
  /** Signs serving certificates. */
  readonly authority: KeyPair;
  /** Will sign them when every API server has heard of it. */
  readonly nextAuthority?: KeyPair;
  /** Authorities that are trusted besides, until they expire: a replica may still serve their certificates. PEM. */
  readonly former: readonly string[];
}

/** What a Secret may hold: the serving certificate may have been damaged. */
export type StoredCertificates = Omit<CertificateState, "serving"> & { readonly serving?: KeyPair };

/** Milliseconds. */
export interface CertificateLifetimes {
  servingValidity: number;
  /** How long before its end a serving certificate is replaced. */
  servingRenewBefore: number;
  authorityValidity: number;
  /** How long before its end an authority's successor is made known. */
  authorityRenewBefore: number;
  /** How long an authority is known before it signs: API servers have heard of it by then. */
  propagation: number;
}

export interface Situation {
  /** Milliseconds since the epoch. */
  now: number;
  /** Of the serving certificate. */
  names: readonly string[];
  lifetimes: CertificateLifetimes;
  /** Whether everything that is to trust the state's authorities has them. */
  injected: boolean;
}

/** What clients are to trust: PEM, the authority that signs first. */
export function bundleOf({ authority, nextAuthority, former }: StoredCertificates): string {
  return [authority.certificate, ...(nextAuthority ? [nextAuthority.certificate] : []), ...former].join("");
}

/**
 * The state as it should be; the same object when nothing is due. An authority signs only after it has been in the bundle
 * for a while, and stays there until it expires: whatever a replica serves, its clients trust it.
 *
 * What somebody else has put there is replaced: a serving certificate that none of the authorities has signed, certificates
 * that a clock far ahead has made, and, in time, an authority that was not made here (it stays trusted).
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
  // Nobody could check what it would sign: its successor has to begin at once.
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

/** Of a state whose serving certificate is as it should be. */
function withServing(state: StoredCertificates): CertificateState {
  return state as CertificateState;
}

/** Whether an authority needs a successor. */
function isDue(authority: KeyPair, now: number, { authorityRenewBefore }: CertificateLifetimes): boolean {
  return endOf(authority) - now <= authorityRenewBefore || !canSign(authority);
}

/** Not over, and not made by a clock that is further ahead than clocks usually are. */
function isCurrent(pair: Pick<KeyPair, "certificate">, now: number): boolean {
  return endOf(pair) > now && beginOf(pair) <= now + clockSkew;
}

function mayPromote(next: KeyPair, { now, injected, lifetimes }: Situation): boolean {
  const madeAt = beginOf(next) + clockSkew;
  return injected && now - madeAt >= lifetimes.propagation;
}

/** Without the authorities that have expired. */
function forget(state: StoredCertificates, now: number): StoredCertificates {
  const former = state.former.filter((certificate) => isCurrent({ certificate }, now));
  return former.length === state.former.length ? state : { ...state, former };
}

/** Of the serving certificate that is due; undefined when none is. */
function namesWanted(
  state: StoredCertificates,
  { now, names, lifetimes }: Situation,
): readonly string[] | undefined {
  const { serving, authority } = state;
  if (!serving || !isCurrent(serving, now) || !isTrusted(serving, state)) return names;
  const end = endOf(serving);
  // One that ends with its authority: another would end at the same time.
  const wouldLastLonger =
    Math.min(now + lifetimes.servingValidity, endOf(authority)) > end || !canSign(authority);
  if (end - now <= lifetimes.servingRenewBefore && wouldLastLonger) return names;
  const present = namesOf(serving);
  const missing = names.filter((name) => !present.includes(canonical(name)));
  // With those that are there: a replica of another version may need them, and would take these away again.
  return missing.length > 0 ? [...present, ...missing] : undefined;
}

function isTrusted(
  { certificate }: KeyPair,
  { authority, nextAuthority, former }: StoredCertificates,
): boolean {
  const leaf = new X509Certificate(certificate);
  const trusted = [authority.certificate, ...(nextAuthority ? [nextAuthority.certificate] : []), ...former];
  return trusted
    .map((each) => new X509Certificate(each))
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
  return new X509Certificate(certificate).validToDate.getTime();
}

function beginOf({ certificate }: Pick<KeyPair, "certificate">): number {
  return new X509Certificate(certificate).validFromDate.getTime();
}

function namesOf({ certificate }: KeyPair): string[] {
  const { subjectAltName = "" } = new X509Certificate(certificate);
  return subjectAltName.split(", ").map((name) => canonical(name.replace(/^(DNS|IP Address):/, "")));
}

/** IPv6 addresses are printed in several ways. */
function canonical(name: string): string {
  return isIP(name) === 6 ? new URL(`http://[${name}]`).hostname.slice(1, -1) : name.toLowerCase();
}
