import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import { UserError } from "../user-error.ts";

/** Turns EADDRINUSE into an error that names the process on the port. Returns any other error unchanged. */
export async function portTaken(error: unknown, port: number): Promise<unknown> {
  if ((error as NodeJS.ErrnoException | null)?.code !== "EADDRINUSE") return error;
  const holder = await holderOf(port);
  return new UserError(
    `port ${port} on 127.0.0.1 is taken${holder ? ` by ${holder}` : ""}: stop that program, or choose another port (0 selects a free one)`,
  );
}

/**
 * Returns the process that listens on a loopback port, as `node (pid 123)`. Returns undefined if the platform
 * cannot tell, or the process is another user's. Linux only: /proc/net/tcp names the socket, /proc/<pid>/fd
 * its process.
 */
async function holderOf(port: number): Promise<string | undefined> {
  const inodes = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    for (const line of (await readFile(table, "utf8").catch(() => "")).split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      const listening = state === "0A";
      if (listening && Number.parseInt(local.split(":")[1] ?? "", 16) === port && inode) inodes.add(inode);
    }
  }
  if (inodes.size === 0) return undefined;
  for (const pid of (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry))) {
    for (const descriptor of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => "");
      const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
      if (inode === undefined || !inodes.has(inode)) continue;
      return `${await commandOf(pid)} (pid ${pid})`;
    }
  }
  return undefined;
}

async function commandOf(pid: string): Promise<string> {
  const [command = ""] = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  return basename(command) || "a process";
}
