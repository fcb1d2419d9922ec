import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { readFileSync, type Stats, statSync } from "node:fs";
import { constants } from "node:os";
import type { Writable } from "node:stream";
import type { Boundary, ConfinedProgram } from "./boundary.ts";

/** A program of a container, as a child of this process. */
export interface StartedProcess {
  /**
   * The leader of a process group. With a boundary, it is the boundary's process, which ends when the program
   * ends.
   */
  readonly child: ChildProcess;
  /** Signals the program itself. */
  signal(name: NodeJS.Signals): void;
  /** Returns how the program ended. Inside a boundary, a signal appears as an exit code of 128 + n. */
  ending(
    code: number | null,
    by: NodeJS.Signals | null,
  ): { code: number | null; signal: NodeJS.Signals | null };
}

/**
 * Starts a program in its own process group, inside the boundary if there is one.
 *
 * @param program.argv0 the program's name, used without a boundary
 * @throws Error when the environment contains a null byte
 */
export function startProcess(
  boundary: Boundary | undefined,
  program: ConfinedProgram & { readonly argv0: string },
  stdio: readonly ("pipe" | "ignore")[],
): StartedProcess {
  const { file, args, argv0, cwd, env } = program;
  const options: SpawnOptions = { detached: true };
  if (boundary === undefined) {
    const child = spawn(file, args, { ...options, argv0, cwd, env, stdio: [...stdio] });
    return {
      child,
      signal: (name) => void (child.pid !== undefined && sendSignal(child.pid, name)),
      ending: (code, signal) => ({ code, signal }),
    };
  }
  // A null byte would end an option of the boundary and start another one.
  if (Object.entries(env).flat().join("").includes("\0"))
    throw new Error("the environment contains a null byte");
  const command = boundary.command(program, stdio.length);
  // An update may replace the file while the program runs.
  const started = statSync(file, { throwIfNoEntry: false });
  const child = spawn(command.file, command.args, {
    ...options,
    cwd: "/",
    env: {},
    stdio: [...stdio, "pipe"],
  });
  // A child that could not be started has no pipes.
  const input = (child.stdio as ChildProcess["stdio"] | undefined)?.[stdio.length] as Writable | undefined;
  input?.on("error", () => {});
  input?.end(command.input);
  const sent = new Set<NodeJS.Signals>();
  return {
    child,
    signal(name) {
      const { pid } = child;
      if (pid === undefined) return;
      sent.add(name);
      const inner = name === "SIGKILL" ? undefined : programIn(pid, started);
      // A program that has not started yet has no handler, so any signal kills it.
      if (inner === undefined) sendSignal(-pid, "SIGKILL");
      else sendSignal(inner, name);
    },
    ending(code, by) {
      const signal = [...sent].find((name) => code === 128 + constants.signals[name]);
      return signal === undefined ? { code, signal: by } : { code: null, signal };
    },
  };
}

/**
 * Returns the pid, on this machine, of the program inside a boundary: the child of the first process of the
 * PID namespace.
 *
 * @param file the program's file when it was started
 */
function programIn(outer: number, file: Stats | undefined): number | undefined {
  try {
    const init = firstChild(outer);
    const program = init && firstChild(init);
    if (program === undefined) return undefined;
    const running = statSync(`/proc/${program}/exe`);
    return running.ino === file?.ino && running.dev === file.dev ? program : undefined;
  } catch {
    // The program has ended, or has not started yet.
    return undefined;
  }
}

function firstChild(pid: number): number | undefined {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  return first ? Number(first) : undefined;
}

/** Signals a process, or its group if `pid` is negative. Does nothing if the process has ended. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}
