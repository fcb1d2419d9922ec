import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import v8 from "node:v8";

type Call = (...args: unknown[]) => unknown;

/**
 * Closes Node's undocumented functions, and the documented ones that its permission model does not check:
 * signals and priorities of other processes, and flags of V8 that name files.
 */
export function closeInternals(): void {
  const { pid } = process;
  const own = process as unknown as Record<string, Call>;
  const seal = (owner: object, name: string, value: Call) =>
    Object.defineProperty(owner, name, { value, writable: false, configurable: false, enumerable: true });
  const refuse = (name: string) => () => {
    throw Object.assign(
      new Error(`${name} is not allowed in a container that is a process of this machine`),
      {
        code: "ERR_ACCESS_DENIED",
      },
    );
  };

  const kill = own._kill as Call;
  const noSuchProcess = -os.constants.errno.ESRCH;
  // `process.kill` calls this as well.
  seal(process, "_kill", (target, signal) => (target === pid ? kill(pid, signal) : noSuchProcess));
  for (const name of [
    "_debugProcess",
    "_debugEnd",
    "_startProfilerIdleNotifier",
    "_stopProfilerIdleNotifier",
  ])
    if (typeof own[name] === "function") seal(process, name, refuse(`process.${name}`));

  const { getPriority, setPriority } = os;
  const isOwn = (target: unknown) =>
    target === undefined || target === 0 || target === pid || target === process.pid;
  seal(os, "getPriority", (target) =>
    isOwn(target) ? getPriority() : refuse("os.getPriority of another process")(),
  );
  seal(os, "setPriority", (...args) => {
    const [target, priority] = args.length < 2 ? [0, args[0]] : args;
    return isOwn(target) ? setPriority(priority as number) : refuse("os.setPriority of another process")();
  });

  const { setFlagsFromString } = v8;
  const harmless =
    /^--(?:no[-_])?(?:expose[-_]gc|harmony[-_\w]*|stack[-_]size=\d+|max[-_](?:old|semi)[-_]space[-_]size=\d+)$/;
  const test = RegExp.prototype.exec.bind(harmless);
  seal(v8, "setFlagsFromString", (flags) =>
    typeof flags === "string" && test(flags) !== null
      ? setFlagsFromString(flags)
      : refuse(`the flag ${String(flags)}`)(),
  );
  syncBuiltinESMExports();
}
