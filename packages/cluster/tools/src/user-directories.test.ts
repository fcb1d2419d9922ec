import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeUserDirectory, userDirectories } from "./user-directories.ts";

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

describe("makeUserDirectory", () => {
  it("names the variable for another directory when this one cannot be created", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "tools-test-"));
    await writeFile(join(folder.path, "home"), "");
    await makeUserDirectory(join(folder.path, "a/b"), "cache");
    await expect(makeUserDirectory(join(folder.path, "home/tools"), "cache")).rejects.toThrow(
      `${folder.path}/home/tools is not writable (ENOTDIR): set XDG_CACHE_HOME to a writable folder`,
    );
    await expect(makeUserDirectory(join(folder.path, "home/x"), "state")).rejects.toThrow("XDG_STATE_HOME");
  });
});
