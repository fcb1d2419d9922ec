import { constants } from "node:os";

/** The signals with which a terminal or a supervisor stops this process. */
export interface StopSignals {
  /** Aborts at the first SIGINT, SIGTERM or SIGHUP. */
  readonly stop: AbortSignal;
  /** Aborts at the second. */
  readonly hurry: AbortSignal;
  /** Returns the number of the second signal, or undefined if there was none. */
  hurriedBy(): number | undefined;
  close(): void;
}

const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function stopSignals(say: (line: string) => void): StopSignals {
  const stop = new AbortController();
  const hurry = new AbortController();
  let second: number | undefined;
  function onSignal(name: NodeJS.Signals): void {
    if (!stop.signal.aborted) {
      say(name === "SIGINT" ? "stopping; press Ctrl+C again to end at once" : "stopping");
      stop.abort();
    } else if (second === undefined) {
      second = constants.signals[name];
      hurry.abort();
    }
  }
  for (const name of names) process.on(name, onSignal);
  return {
    stop: stop.signal,
    hurry: hurry.signal,
    hurriedBy: () => second,
    close() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
