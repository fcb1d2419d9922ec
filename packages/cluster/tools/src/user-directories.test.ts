import { isAbsolute } from "node:path";
import { describe, expect, it } from "vitest";
import { userDirectories } from "./user-directories.ts";

describe("userDirectories", () => {
  it("follows XDG where it is set", () => {
    const env = { HOME: "/home/a", XDG_CACHE_HOME: "/fast", XDG_STATE_HOME: "/var/a" };
    expect(userDirectories(env)).toEqual({ cache: "/fast/operator-path", state: "/var/a/operator-path" });
  });

  it.runIf(process.platform === "linux")(
    "falls back to the home directory, ignoring relative XDG paths",
    () => {
      expect(userDirectories({ HOME: "/home/a", XDG_STATE_HOME: "state" })).toEqual({
        cache: "/home/a/.cache/operator-path",
        state: "/home/a/.local/state/operator-path",
      });
    },
  );

  it.each([{ HOME: "" }, {}])("gives absolute paths without a HOME (%o)", (env) => {
    const { cache, state } = userDirectories(env);
    expect(isAbsolute(cache) && isAbsolute(state)).toBe(true);
  });
});
