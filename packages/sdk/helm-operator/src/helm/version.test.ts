import { expect, it } from "vitest";
import { majorOf, parseVersion } from "./version.ts";

it.each([
  ["v4.2.3", "4.2.3", 4],
  ["v4.2.3+g43e8b7f\n", "4.2.3", 4],
  ["v3.18.0", "3.18.0", 3],
  ["v3.15.0-rc.1", "3.15.0-rc.1", 3],
  // Takes an uninstalled release with a kept history for an existing one in `upgrade --install`.
  ["v3.14.4", "3.14.4", undefined],
  ["v2.17.0", "2.17.0", undefined],
  ["v5.0.0", "5.0.0", undefined],
])("%j is version %s, with the flags of %s", (printed, version, major) => {
  expect(parseVersion(printed)).toBe(version);
  expect(majorOf(version)).toBe(major);
});

it("rejects what is not a version", () => {
  expect(parseVersion("Welcome to Node.js v26")).toBeUndefined();
});
