import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { createInterface } from "node:readline";

/** A program that cannot outlive this process. */
export interface LivingProgram {
  /** `kube-apiserver` */
  readonly name: string;
  /** Of the program itself. */
  readonly pid: number;
  /** Resolves when it has ended, whoever ended it, with a line that says so and the last lines of its log. */
  readonly ended: Promise<string>;
  /** Kills it (what it leaves behind is thrown away) and resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly path: string;
  readonly args: readonly string[];
  /** Its working folder. */
  readonly folder: string;
  /** Takes standard output and standard error. */
  readonly logFile: string;
  /** Removed, with all that is in it, when this process dies without having stopped the program. */
  readonly orphanedFolder?: string;
}

/**
 * A shell holds the other end of our pipe as its standard input. When it closes, by stop() or because this process died in
 * whatever way, the program is killed. The pid is safe to signal: the shell has not yet collected it.
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

/** Starts a program under a lifeline, in a session of its own: a Ctrl+C in the terminal reaches only us, and we decide. */
export async function startProgram(o: ProgramOptions): Promise<LivingProgram> {
  const name = basename(o.path);
  await (await open(o.logFile, "a", 0o600)).close();
  const args = ["-c", supervisor, name, o.logFile, o.orphanedFolder ?? "", o.path, ...o.args];
  const shell = spawn("/bin/sh", args, {
    cwd: o.folder,
    detached: true,
    // Neither of them is to see what happens to be in our environment.
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: o.folder },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = once(shell, "exit");
  shell.stdin.on("error", () => {});
  const pid = await firstNumber(shell);
  shell.unref();
  const ended = exited.then(async ([code, signal]: unknown[]) => {
    const how = signal ? `was ended by ${signal}` : `ended with ${code}`;
    return `${name} ${how}; its log ends with\n${await tail(o.logFile)}`;
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

/** The last lines: nobody reads more of it in a terminal. */
async function tail(file: string, lines = 12): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  const last = text.trimEnd().split("\n").slice(-lines);
  return last.map((line) => `  ${line.length > 400 ? `${line.slice(0, 400)}…` : line}`).join("\n");
}
