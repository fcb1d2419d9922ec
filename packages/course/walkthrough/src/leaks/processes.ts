import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../run/run-program.ts";

/** Every process of a run has this variable. Its value identifies the run and the process that started it. */
export const runMarkerVariable = "OPERATOR_PATH_RUN";

/** How the names of run folders begin; the marker follows. */
export const runFolderPrefix = "operator-path-run-";

export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
  readonly marker: string;
}

/** Returns the marker of a new run: `<pid>.<start time of that process>.<random>`. */
export function runMarker(): string {
  return `${process.pid}.${startTime(process.pid) ?? 0}.${randomBytes(4).toString("hex")}`;
}

/** Reports whether the process that made the marker is alive. A reused pid has another start time. */
export function runnerAlive(marker: string): boolean {
  const [pid, start] = marker.split(".");
  return startTime(Number(pid)) === Number(start);
}

/** Returns the processes of one run, or of all runs. Sees only processes of this user. */
export function markedProcesses(marker?: string): MarkedProcess[] {
  const all = process.platform === "linux" ? linuxProcesses() : psProcesses();
  return all.filter(
    (found) => found.pid !== process.pid && (marker === undefined || found.marker === marker),
  );
}

/**
 * Ends the processes and removes the folders of runs whose runner has died, for example by `kill -9`. This
 * includes the folders that `--keep` kept.
 */
export async function sweep(parent: string = tmpdir()): Promise<void> {
  sweepProcesses();
  const dead = readdirSync(parent).filter((name) => {
    if (!name.startsWith(runFolderPrefix)) return false;
    return !runnerAlive(name.slice(runFolderPrefix.length).split("-")[0] ?? "");
  });
  await Promise.all(dead.map((name) => removeFolder(join(parent, name))));
}

/** Kills the processes of dead runners. */
function sweepProcesses(): void {
  for (const { pid, marker } of markedProcesses()) if (!runnerAlive(marker)) kill(pid);
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended meanwhile.
  }
}

function linuxProcesses(): MarkedProcess[] {
  const found: MarkedProcess[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const environment = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      const entry = environment.find((variable) => variable.startsWith(`${runMarkerVariable}=`));
      if (entry === undefined || /^\d+ \([^)]*\) Z/.test(readFileSync(`/proc/${name}/stat`, "utf8")))
        continue;
      found.push({
        pid: Number(name),
        command: readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
        marker: entry.slice(runMarkerVariable.length + 1),
      });
    } catch {
      // The process has ended meanwhile, or belongs to another user.
    }
  }
  return found;
}

/**
 * Returns the TCP ports on which each process listens, by pid: `port 8080`. Has no entry for a process that
 * has ended. Empty except on Linux. Slow, because the kernel lists the sockets of the whole machine.
 */
export function listeningPorts(pids: readonly number[]): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  if (process.platform !== "linux" || pids.length === 0) return found;
  const sockets = listeningSockets();
  for (const pid of pids) {
    try {
      found.set(pid, listeningOf(pid, sockets));
    } catch {
      // The process has ended meanwhile.
    }
  }
  return found;
}

/** Returns inode → port of every listening TCP socket. */
function listeningSockets(): Map<string, string> {
  const sockets = new Map<string, string>();
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"]) {
    let text = "";
    try {
      text = readFileSync(file, "utf8");
    } catch {
      continue;
    }
    for (const line of text.split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === "0A" && inode)
        sockets.set(inode, `port ${Number.parseInt(local.split(":")[1] ?? "", 16)}`);
    }
  }
  return sockets;
}

function listeningOf(pid: number, sockets: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
    const address = inode === undefined ? undefined : sockets.get(inode);
    if (address !== undefined) found.add(address);
  }
  return [...found];
}

function psProcesses(): MarkedProcess[] {
  const text = execFileSync("ps", ["-E", "-A", "-ww", "-o", "pid=,command="], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return text.split("\n").flatMap((line) => {
    const match = new RegExp(`^\\s*(\\d+) (.*?)\\s.*\\b${runMarkerVariable}=(\\S+)`).exec(line);
    return match ? [{ pid: Number(match[1]), command: match[2] ?? "", marker: match[3] ?? "" }] : [];
  });
}

/** Returns the start time of a process, in a unit of the system. Undefined if there is no such process. */
function startTime(pid: number): number | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
    }
    const started = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { LC_ALL: "C", PATH: "/bin:/usr/bin" },
    });
    return Date.parse(started.trim()) / 1000;
  } catch {
    return undefined;
  }
}
