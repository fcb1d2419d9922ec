import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { createInterface } from "node:readline";

/** A program that cannot outlive this process. */
export interface LivingProgram {
  /** `kube-apiserver` */
  readonly name: string;
  /** The pid of the program itself. */
  readonly pid: number;
  /**
   * Resolves when the program has ended, for whatever reason, with a message and the last lines of its log.
   */
  readonly ended: Promise<string>;
  /** Kills the program, whose data is disposable, and resolves when it has ended. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly path: string;
  readonly args: readonly string[];
  /** Its working directory. */
  readonly folder: string;
  /** Receives standard output and standard error. */
  readonly logFile: string;
  /** A folder to remove if this process dies without stopping the program. */
  readonly orphanedFolder?: string;
}

/**
 * A shell reads the other end of our pipe as its standard input. When the pipe closes, because of stop() or
 * the death of this process, the shell kills the program. The pid is safe to signal until the shell has
 * collected it.
 */
const supervisor = `
exec 3<&0 4>&1 >>"$1" 2>&1
folder=$2
shift 2
"$@" </dev/null 3<&- 4>&- &
program=$!
echo $program >&4
exec 4>&-
{
  while read -r word <&3; do [ "$word" = stop ] && folder=; done
  trap "" TERM
  kill -KILL $program
  [ -n "$folder" ] && rm -rf "$folder"
} 2>/dev/null &
watcher=$!
wait $program
status=$?
{ kill $watcher; wait $watcher; } 2>/dev/null
exit $status
`;

/**
 * Starts a program under a lifeline, in its own session. A Ctrl+C in the terminal reaches only this process,
 * which then decides.
 */
export async function startProgram(options: ProgramOptions): Promise<LivingProgram> {
  const name = basename(options.path);
  await (await open(options.logFile, "a", 0o600)).close();
  const args = [
    "-c",
    supervisor,
    name,
    options.logFile,
    options.orphanedFolder ?? "",
    options.path,
    ...options.args,
  ];
  const shell = spawn("/bin/sh", args, {
    cwd: options.folder,
    detached: true,
    // Keeps our environment from the shell and the program.
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: options.folder },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = once(shell, "exit");
  shell.stdin.on("error", () => {});
  const pid = await firstNumber(shell);
  shell.unref();
  const ended = exited.then(async ([code, signal]: unknown[]) => {
    const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
    return `${name} ${how}; its log ends with\n${await tail(options.logFile)}`;
  });
  return {
    name,
    pid,
    ended,
    async stop() {
      shell.ref();
      shell.stdin.end("stop\n");
      await exited;
    },
  };
}

async function firstNumber(shell: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: shell.stdout as NodeJS.ReadableStream }))
    return Number(line);
  throw new Error("/bin/sh did not start");
}

/** Returns the last lines. More would not help in a terminal. */
async function tail(file: string, lines = 12): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  const last = text.trimEnd().split("\n").slice(-lines);
  return last.map((line) => `  ${line.length > 400 ? `${line.slice(0, 400)}…` : line}`).join("\n");
}
