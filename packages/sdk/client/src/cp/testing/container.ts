import { mkdtempSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, onTestFinished } from "vitest";
import { channelClient, success } from "../../pods/testing/channel-server.ts";

/** The container of `containerOf`. */
export const pod = { namespace: "default", name: "p", container: "main" };

/** Creates a local folder for each test of a file, and removes it at the end of the test. */
export function useFolder() {
  let path = "";
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), "cp-"));
    onTestFinished(() => rm(path, { recursive: true }));
  });
  return {
    /** Returns the path of the folder. */
    folder: () => path,
    /** Returns a path in the folder. */
    local: (...parts: string[]) => join(path, ...parts),
  };
}

export const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
export const treeOf = async (path: string) => (await readdir(path, { recursive: true })).sort();

/** Returns a client whose container answers `tar` with these bytes. */
export function containerOf(archive: Uint8Array, status = success) {
  return channelClient(({ socket, send }) => {
    for (let at = 0; at < archive.length; at += 32 * 1024) send(1, archive.subarray(at, at + 32 * 1024));
    send(3, status);
    socket.close(1000);
  });
}

/** Returns the Status of a command that exited with this code. */
export const failed = (code: number) =>
  JSON.stringify({
    ...{ status: "Failure", reason: "NonZeroExitCode", message: "failed" },
    details: { causes: [{ reason: "ExitCode", message: `${code}` }] },
  });
