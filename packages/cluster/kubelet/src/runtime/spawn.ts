import { listeningUntil } from "../network/pod-network.ts";
import type { BytePipe } from "./byte-pipe.ts";
import type { Container, OutputListener, ProcessContext, Program, SpawnedProcess } from "./contracts.ts";
import { SIGNALS, type Signal } from "./process-table.ts";

const encoder = new TextEncoder();

/** Adds a process to the container's PID namespace and runs its program. */
export function spawnProcess(options: {
  container: Container;
  program: Program;
  argv: string[];
  tty: boolean;
  stdin: BytePipe | undefined;
  onOutput: OutputListener;
  ppid?: number;
  cwd?: string;
  env?: Record<string, string>;
}): SpawnedProcess {
  const { config } = options.container;
  const killed = new AbortController();
  let killedBy: Signal | undefined;
  let handler: ((signal: Signal) => void) | undefined;
  const env = options.env ?? { ...config.env, ...(options.tty ? { TERM: "xterm" } : {}) };
  const cwd = options.cwd ?? config.workingDir;
  const process = config.processes.add({
    ppid: options.ppid ?? 0,
    argv: options.argv,
    uid: config.credentials.uid,
    gid: config.credentials.gid,
    cwd,
    env,
    container: config.name,
    tty: options.tty,
    ...(options.tty ? { terminal: { size: undefined } } : {}),
    signal(signal) {
      if (signal !== "SIGKILL" && handler) return handler(signal);
      // SIGWINCH is ignored by default.
      if (signal === "SIGWINCH") return;
      // The kernel applies no default action to the init process of a PID namespace: without a handler, the
      // process continues.
      if (signal !== "SIGKILL" && process.pid === 1) return;
      if (killedBy) return;
      killedBy = signal;
      killed.abort();
    },
  });
  const emit = (stream: "stdout" | "stderr", chunk: string | Uint8Array): void | Promise<void> => {
    if (killed.signal.aborted) return;
    const bytes = typeof chunk === "string" ? encoder.encode(chunk) : chunk;
    if (bytes.length > 0)
      return options.onOutput(options.tty ? "stdout" : stream, options.tty ? crlf(bytes) : bytes);
  };
  const ended = new Promise<number>((resolve) => {
    killed.signal.addEventListener("abort", () => resolve(128 + SIGNALS[killedBy ?? "SIGKILL"]), {
      once: true,
    });
    options
      .program({
        process,
        argv: options.argv,
        env,
        cwd,
        tty: options.tty,
        stdin: options.stdin,
        stdout: (chunk) => emit("stdout", chunk),
        stderr: (chunk) => emit("stderr", chunk),
        onSignal(next) {
          handler = next;
        },
        signal: killed.signal,
        hostname: config.hostname,
        network: listeningUntil(config.network, killed.signal),
        clock: config.clock,
        container: options.container,
      })
      .then(resolve, (error: unknown) => {
        // A bug in a program of ours: the process crashes with its message, and the node continues.
        emit("stderr", `${options.argv[0]}: ${error instanceof Error ? error.message : String(error)}\n`);
        resolve(139);
      });
  });
  const exited = ended.then((code) => {
    config.processes.remove(process.pid);
    killed.abort();
    // A PID namespace ends with its first process.
    if (process.pid === 1) for (const other of config.processes.list()) other.signal("SIGKILL");
    return code;
  });
  return {
    process,
    exited,
    resize(size) {
      const { terminal } = process;
      const before = terminal?.size;
      if (terminal === undefined || (before?.width === size.width && before.height === size.height)) return;
      terminal.size = size;
      // The first size is the window's initial size, and not a change.
      if (before !== undefined) process.signal("SIGWINCH");
    },
  };
}

/** Adds a carriage return to each newline, as the terminal's output processing (ONLCR) does. */
function crlf(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(10)) return bytes;
  const out: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 10 && bytes[i - 1] !== 13) out.push(13);
    out.push(bytes[i] as number);
  }
  return Uint8Array.from(out);
}

/** Resolves with the first of `signals` that the process receives. A server program awaits it. */
export function untilSignalled(context: ProcessContext, signals: Signal[]): Promise<Signal> {
  return new Promise((resolve) => {
    context.onSignal((signal) => {
      if (signals.includes(signal)) resolve(signal);
    });
  });
}
