import type { ProcessContext } from "./contracts.ts";
import type { Signal } from "./process-table.ts";

/** Resolves with the first of `signals` that the process receives. For servers, which run until then. */
export function untilSignalled(context: ProcessContext, signals: Signal[]): Promise<Signal> {
  return new Promise((resolve) => {
    context.onSignal((signal) => {
      if (signals.includes(signal)) resolve(signal);
    });
  });
}
