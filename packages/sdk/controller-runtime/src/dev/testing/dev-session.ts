import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";

/** What the operator of `createOperatorProject` says when it leads. */
export interface Running {
  pid: number;
  args: string[];
  metrics: string;
  health: string;
  webhook: number;
}

/** `operator-dev` at work in a project. */
export interface DevSession {
  readonly child: ChildProcess;
  /** All that it and its operators have written. */
  output(): string;
  /** Resolves when the text has been written `times` times. Rejects when it ends before that. */
  says(text: string, times?: number): Promise<void>;
  /** Of each operator so far that led. */
  running(): Running[];
  /** As a terminal's ^C does: to all of its group. */
  interrupt(signal: NodeJS.Signals): void;
  readonly ended: Promise<[code: number | null, signal: string | null]>;
}

export function startDevSession(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): DevSession {
  const program = join(folder, "node_modules/@operator-path/controller-runtime/bin/operator-dev.js");
  // No options of the test's own process.
  const { NODE_OPTIONS, ...inherited } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    ...{ cwd: folder, env: { ...inherited, ...env } },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, as a shell gives it to what runs in the foreground.
    detached: true,
  });
  let output = "";
  let heard = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      heard.resolve();
      heard = Promise.withResolvers();
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
        if (await Promise.race([heard.promise, ended])) {
          throw new Error(`it has ended, and did not say ${text}:\n${output}`);
        }
      }
    },
    running: () => [...output.matchAll(/^RUNS (.*)$/gm)].map(([, json = ""]) => JSON.parse(json)),
  };
}

/** Process ids of those that a process has started and that still run. */
export function childrenOf(pid: number | undefined): number[] {
  return processes().flatMap(([own, parent]) => (parent === pid ? [own as number] : []));
}

export const isRunning = (pid: number): boolean => processes().some(([own]) => own === pid);

/** Process and parent; not those that have ended and that nobody has asked after. */
function processes(): number[][] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" });
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith("Z"))
    .map(([own, parent]) => [Number(own), Number(parent)]);
}
