import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import type { PreloadSettings } from "./protocol.ts";

/**
 * Shows the process, user and host of the container.
 * @param killTool signals a tool that this process has started. Returns false for any other pid
 */
export function assumeIdentity(
  settings: PreloadSettings,
  killTool: ((pid: number, signal: NodeJS.Signals | number) => boolean) | undefined,
): void {
  const realPid = process.pid;
  const kill = process.kill.bind(process);
  const define = (name: string, value: unknown) =>
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true });
  define("pid", settings.pid);
  define("ppid", settings.ppid);
  if (settings.workingFolder === undefined) delete process.env.PWD;
  else process.env.PWD = settings.workingFolder;
  for (const name of ["getuid", "geteuid"]) define(name, () => settings.uid);
  for (const name of ["getgid", "getegid"]) define(name, () => settings.gid);
  define("getgroups", () => [settings.gid]);
  // The container has only this process and what it has started. Other processes of this user are not
  // visible.
  define("kill", (pid: number, signal?: NodeJS.Signals | number) => {
    if (pid === settings.pid || pid === realPid || pid === 0) return kill(realPid, signal);
    if (killTool?.(pid, signal ?? "SIGTERM")) return true;
    throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH", errno: -3, syscall: "kill" });
  });
  os.hostname = () => settings.hostname;
  syncBuiltinESMExports();
  // The kernel applies no default action to the first process of a PID namespace. Without its own handler, a
  // program continues until its grace period has passed.
  if (settings.pid === 1) {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const)
      process.on(signal, () => {});
  }
}
