/** Listens for the keys that stop a run: q and Ctrl+C. */
export interface StopKeys extends Disposable {
  /** Lets a prompt read the keys. */
  pause(): void;
  resume(): void;
}

/** Calls `stop` when the learner types q or Ctrl+C. Drops other keys. Without a terminal, nothing listens. */
export function listenForStop(stop: () => void): StopKeys {
  const { stdin } = process;
  let listening = false;
  const onKeys = (keys: unknown): void => {
    if ([...String(keys)].some(stops)) stop();
  };
  const resume = (): void => {
    if (listening || !stdin.isTTY) return;
    listening = true;
    stdin.setRawMode(true);
    stdin.on("data", onKeys).resume();
  };
  const pause = (): void => {
    if (!listening) return;
    listening = false;
    stdin.off("data", onKeys).pause();
    stdin.setRawMode(false);
  };
  resume();
  return { pause, resume, [Symbol.dispose]: pause };
}

/**
 * Writes a question and waits for one of these keys; Enter is "\r". Resolves to undefined on q and Ctrl+C. Rejects
 * on abort.
 */
export async function askForKey<K extends string>(
  question: string,
  keys: readonly K[],
  signal: AbortSignal,
): Promise<K | undefined> {
  signal.throwIfAborted();
  const { stdin } = process;
  const answer = Promise.withResolvers<K | undefined>();
  const onKeys = (typed: unknown): void => {
    // A terminal that was not raw yet when Enter was typed made a line feed of it.
    for (const key of String(typed).replaceAll("\n", "\r")) {
      const known = keys.find((one) => one === key);
      if (stops(key)) answer.resolve(undefined);
      else if (known !== undefined) answer.resolve(known);
    }
  };
  const abort = (): void => answer.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  stdin.setRawMode?.(true);
  stdin.on("data", onKeys).resume();
  process.stdout.write(question);
  try {
    return await answer.promise;
  } finally {
    signal.removeEventListener("abort", abort);
    stdin.off("data", onKeys).pause();
    stdin.setRawMode?.(false);
  }
}

function stops(key: string): boolean {
  return ["q", "Q", "\x03"].includes(key);
}
