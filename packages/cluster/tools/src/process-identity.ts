import { readFile } from "node:fs/promises";

/**
 * Returns a text that distinguishes a process from later ones with the same pid: boot and start time on
 * Linux, start time elsewhere. Returns undefined when the process does not exist or is a zombie.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

async function fromProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field is the command's name in parentheses. It may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "")).trim();
  return `${boot}/${fields[19]}`;
}

async function fromPs(pid: number): Promise<string | undefined> {
  const { execa } = await import("execa");
  const { stdout, failed } = await execa("ps", ["-o", "state=,lstart=", "-p", String(pid)], {
    reject: false,
  });
  const line = stdout?.trim() ?? "";
  return failed || line === "" || line.startsWith("Z") ? undefined : line.replace(/^\S+\s+/, "");
}
