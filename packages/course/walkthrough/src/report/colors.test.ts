import { expect, test } from "vitest";
import { hasColors } from "./colors.ts";

test.each([
  ["a terminal", true, {}, true],
  ["a terminal in CI", true, { CI: "true" }, true],
  ["a terminal with NO_COLOR", true, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
  ["a terminal without escape sequences", true, { TERM: "dumb" }, false],
  ["a file", false, {}, false],
  ["a file in CI", false, { CI: "true" }, false],
  ["a file with FORCE_COLOR", false, { FORCE_COLOR: "1" }, true],
])("%s shows colours: %s", (_, isTTY, env, shows) => {
  expect(hasColors({ isTTY }, env)).toBe(shows);
});
