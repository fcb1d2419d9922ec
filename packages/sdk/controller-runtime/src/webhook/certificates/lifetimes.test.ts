import { expect, test } from "vitest";
import { lifetimesOf } from "./lifetimes.ts";

const hour = 3_600_000;
const day = 24 * hour;

test("derives missing lifetimes in proportion", () => {
  expect(lifetimesOf()).toEqual({
    ...{ servingValidity: 90 * day, servingRenewBefore: 30 * day, propagation: hour },
    ...{ authorityValidity: 5 * 365 * day, authorityRenewBefore: 365 * day },
  });
  expect(lifetimesOf({ servingValidity: day, authorityValidity: 90 * day })).toEqual({
    ...{ servingValidity: day, servingRenewBefore: 8 * hour, propagation: hour },
    ...{ authorityValidity: 90 * day, authorityRenewBefore: 18 * day },
  });
});

test.each([
  [
    { servingValidity: hour, servingRenewBefore: hour },
    "servingRenewBefore (3600000 ms) must be less than serving",
  ],
  [
    { authorityRenewBefore: 6 * 365 * day },
    "authorityRenewBefore (189216000000 ms) must be less than authority",
  ],
  [{ propagation: 366 * day }, "propagation (31622400000 ms) must be less than authorityRenewBefore"],
  [{ servingValidity: Number.NaN }, "servingValidity is NaN: set milliseconds above 0"],
  [{ propagation: 0 }, "propagation is 0: set milliseconds above 0"],
])("rejects %o", (lifetimes, why) => {
  expect(() => lifetimesOf(lifetimes)).toThrow(`issueCertificates.lifetimes.${why}`);
});
