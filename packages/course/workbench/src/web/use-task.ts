import { useRef, useState } from "preact/hooks";

/**
 * Work that a button starts: whether it runs, and how it ended. The button says so with `aria-disabled`: one that is
 * `disabled` loses the keyboard's focus.
 */
export interface Task<T, R> {
  readonly busy: boolean;
  readonly result: R | undefined;
  /** The message of the error with which it ended. */
  readonly problem: string | undefined;
  /** Does nothing while the work runs. */
  start(argument: T): Promise<void>;
  clear(): void;
}

export function useTask<T, R>(work: (argument: T) => Promise<R>): Task<T, R> {
  const [state, setState] = useState<{ busy: boolean; result?: R; problem?: string }>({ busy: false });
  const runs = useRef(false);
  return {
    busy: state.busy,
    result: state.result,
    problem: state.problem,
    clear: () => setState({ busy: false }),
    async start(argument) {
      if (runs.current) return;
      runs.current = true;
      setState({ busy: true });
      try {
        setState({ busy: false, result: await work(argument) });
      } catch (error) {
        setState({ busy: false, problem: error instanceof Error ? error.message : String(error) });
      } finally {
        runs.current = false;
      }
    },
  };
}
