import type { KubeObject } from "@operator-path/client";
import type { SharedInformer } from "@operator-path/informers";

/** Informers that run until their signals abort. */
export interface InformerRuns {
  run<T extends KubeObject>(informer: SharedInformer<T>, stop: AbortSignal): void;
  /** Resolves when all have ended after `signal`. */
  done(signal: AbortSignal): Promise<void>;
}

export function createInformerRuns(log: (line: string) => void): InformerRuns {
  const runs = new Set<Promise<void>>();
  return {
    run(informer, stop) {
      const running = informer
        .run(stop)
        .catch((error: unknown) => log(String(error)))
        .finally(() => runs.delete(running));
      runs.add(running);
    },
    done: (signal) =>
      new Promise((resolve) => {
        const end = () => void Promise.all(runs).then(() => resolve());
        if (signal.aborted) end();
        else signal.addEventListener("abort", end, { once: true });
      }),
  };
}
