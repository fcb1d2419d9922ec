import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";

/** Printed by the operator of `createOperatorProject` once it leads. */
export interface Running {
  pid: number;
  args: string[];
  metrics: string;
  health: string;
  webhook: number;
}

/** A running `operator-dev` in a project. */
export interface DevSession {
  readonly child: ChildProcess;
  /** Returns everything that it and its operators have written. */
  output(): string;
  /** Resolves when the text was written `times` times. Rejects when the process ends first. */
  says(text: string, times?: number): Promise<void>;
  /** Returns an entry for each operator that has led so far. */
  running(): Running[];
  /** Sends a signal to the whole process group, as Ctrl+C in a terminal does. */
  interrupt(signal: NodeJS.Signals): void;
  readonly ended: Promise<[code: number | null, signal: string | null]>;
}

export function startDevSession(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): DevSession {
  const program = join(folder, "node_modules/@operator-path/controller-runtime/bin/operator-dev.js");
  // Without the options of the test's own process.
  const { NODE_OPTIONS, ...inherited } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    ...{ cwd: folder, env: { ...inherited, ...env } },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own, as a shell gives to a foreground job.
    detached: true,
  });
  let output = "";
  let changed = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      changed.resolve();
      changed = Promise.withResolvers();
    });
  }
  const ended = new Promise<[number | null, string | null]>((resolve) =>
    child.on("close", (code, signal) => resolve([code, signal])),
  );
  return {
    child,
    ended,
    output: () => output,
    interrupt: (signal) => void process.kill(-(child.pid as number), signal),
    async says(text, times = 1) {
      while (output.split(text).length <= times) {
        if (await Promise.race([changed.promise, ended])) {
          throw new Error(`operator-dev ended without writing ${text}:\n${output}`);
        }
      }
    },
    running: () => [...output.matchAll(/^RUNS (.*)$/gm)].map(([, json = ""]) => JSON.parse(json)),
  };
}

/** Returns the ids of a process's running children. */
export function childrenOf(pid: number | undefined): number[] {
  return processes().flatMap(([own, parent]) => (parent === pid ? [own as number] : []));
}

export const isRunning = (pid: number): boolean => processes().some(([own]) => own === pid);

/** Returns id and parent of each process, without zombies. */
function processes(): number[][] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith("Z"))
    .map(([own, parent]) => [Number(own), Number(parent)]);
}
