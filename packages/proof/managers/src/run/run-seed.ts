import { drawHistory } from "../history/draw.ts";
import { runHistory } from "../history/run-history.ts";
import { drawPair } from "../pairs/draw-pair.ts";
import { runPair } from "../pairs/run-pair.ts";
import type { Outcome } from "./outcome.ts";
import type { Kind } from "./run-many.ts";

/** One history. `trace` is told each thing as it happens. */
export async function runSeed(kind: Kind, seed: number, trace?: (line: string) => void): Promise<Outcome> {
  if (kind === "pairs") {
    const { steps: _, ...pair } = drawPair(seed);
    trace?.(`seed ${seed}: ${JSON.stringify(pair)}`);
    return runPair(drawPair(seed), trace);
  }
  const history = drawHistory(seed);
  trace?.(`seed ${seed}: ${JSON.stringify(history.scenario)}`);
  return runHistory(history, trace);
}
