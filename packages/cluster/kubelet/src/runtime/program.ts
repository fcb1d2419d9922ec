import type { Clock } from "@operator-path/client";
import type { NetworkNamespace } from "../network/pod-network.ts";
import type { BytePipe } from "./byte-pipe.ts";
import type { Container } from "./container.ts";
import type { Signal, SimulatedProcess } from "./process-table.ts";

/**
 * What an executable of a simulated image does: runs until it returns its exit code.
 * It is dropped when `signal` aborts (SIGKILL, or a signal that it does not handle); nothing that it returns then counts.
 */
export type Program = (context: ProcessContext) => Promise<number>;

/**
 * Takes the output of a process. Returns a promise when the reader is too slow: the process must wait for it. The
 * promise never rejects.
 */
export type OutputListener = (stream: "stdout" | "stderr", chunk: Uint8Array) => void | Promise<void>;

/** What a program sees of the world. There is no way from here to the host: no environment, file or socket of it. */
export interface ProcessContext {
  process: SimulatedProcess;
  argv: string[];
  env: Record<string, string>;
  cwd: string;
  /** Whether stdin and stdout are a terminal. Output newlines become CRLF outside of the program. */
  tty: boolean;
  /** Undefined: nothing will ever be read (/dev/null). */
  stdin: BytePipe | undefined;
  /** Await it in a program whose output may never end: it resolves when the reader has caught up. */
  stdout(chunk: string | Uint8Array): void | Promise<void>;
  stderr(chunk: string | Uint8Array): void | Promise<void>;
  /** From now on signals other than SIGKILL go to the handler instead of ending the process. */
  onSignal(handler: (signal: Signal) => void): void;
  signal: AbortSignal;
  hostname: string;
  network: NetworkNamespace;
  clock: Clock;
  random: () => number;
  container: Container;
}

/** Waits until the process is told to end; for servers. Resolves with the signal. */
export function untilSignalled(context: ProcessContext, signals: Signal[]): Promise<Signal> {
  return new Promise((resolve) => {
    context.onSignal((signal) => {
      if (signals.includes(signal)) resolve(signal);
    });
  });
}
