/**
 * Progress, out of kind's own output. A step is one that kind names (`Preparing nodes`, `Starting control-plane`) or one of
 * ours after it (`Waiting for all nodes`), without its icon; of each there is one `begun`, then one `done` or `failed`.
 */
export type KindEvent =
  | { readonly type: "begun"; readonly step: string }
  | { readonly type: "done"; readonly step: string; readonly seconds: number }
  | { readonly type: "failed"; readonly step: string; readonly seconds: number }
  /** A line beside the steps: what an engine is chosen, what is pulled, a warning. */
  | { readonly type: "note"; readonly text: string };
