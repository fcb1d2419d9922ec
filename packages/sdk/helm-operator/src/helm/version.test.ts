import { expect, it } from "vitest";
import { majorOf, parseVersion } from "./version.ts";

it.each([
  ["v4.2.3", "4.2.3", 4],
  ["v4.2.3+g43e8b7f\n", "4.2.3", 4],
  ["v3.18.0", "3.18.0", 3],
  ["v3.13.0-rc.1", "3.13.0-rc.1", 3],
  // No --dry-run=server.
  ["v3.12.3", "3.12.3", undefined],
  ["v2.17.0", "2.17.0", undefined],
  ["v5.0.0", "5.0.0", undefined],
])("%j is %s, whose flags are those of %s", (printed, version, major) => {
  expect(parseVersion(printed)).toBe(version);
  expect(majorOf(version)).toBe(major);
});

it("knows what is no version", () => {
  expect(parseVersion("Welcome to Node.js v26")).toBeUndefined();
});
