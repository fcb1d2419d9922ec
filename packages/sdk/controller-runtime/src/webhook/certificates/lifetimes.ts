import type { CertificateLifetimes } from "./state.ts";

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Returns the requested lifetimes, with proportional defaults for the others.
 *
 * @throws RangeError when a certificate would be renewed constantly, or used before clients trust it
 */
export function lifetimesOf(asked: Partial<CertificateLifetimes> = {}): CertificateLifetimes {
  const { servingValidity = 90 * day, authorityValidity = 5 * 365 * day } = asked;
  const {
    servingRenewBefore = Math.min(30 * day, servingValidity / 3),
    authorityRenewBefore = Math.min(365 * day, authorityValidity / 5),
  } = asked;
  const { propagation = Math.min(hour, authorityRenewBefore / 2) } = asked;
  const all = { servingValidity, servingRenewBefore, authorityValidity, authorityRenewBefore, propagation };
  for (const [name, value] of Object.entries(all)) {
    if (!(Number.isFinite(value) && value > 0)) {
      throw new RangeError(`issueCertificates.lifetimes.${name} is ${value}: set milliseconds above 0`);
    }
  }
  for (const [earlier, later] of [
    ["servingRenewBefore", "servingValidity"],
    ["authorityRenewBefore", "authorityValidity"],
    ["propagation", "authorityRenewBefore"],
  ] as const) {
    if (all[earlier] < all[later]) continue;
    throw new RangeError(
      `issueCertificates.lifetimes.${earlier} (${all[earlier]} ms) must be less than ${later} (${all[later]} ms)`,
    );
  }
  return all;
}
