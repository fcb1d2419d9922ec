import { expect, test } from "vitest";
import { runHistory } from "./run-history.ts";
import type { History, Scenario, Step } from "./steps.ts";

const scenario: Scenario = {
  ...{ workers: 1, patches: false, priorityQueue: true, leaderElection: false, warmup: false },
  ...{ children: "owns", predicates: true, store: "parsed", namespaces: "all", heedsSignal: true },
  ...{ timeout: undefined, period: 30_000, watchList: "offered", replicas: 1, collectAfter: 200 },
};

/** The life of a site: created, scaled, drifted, scaled to zero and back, deleted, and recreated. */
const life: Step[] = [
  { do: "put", site: 0, size: 2 },
  { do: "wait", ms: 1_000 },
  { do: "put", site: 0, size: 3 },
  { do: "wait", ms: 1_000 },
  { do: "delete child", site: 0 },
  { do: "wait", ms: 1_000 },
  { do: "put", site: 0, size: 0 },
  { do: "wait", ms: 1_000 },
  { do: "put", site: 0, size: 1 },
  { do: "wait", ms: 1_000 },
  { do: "delete", site: 0 },
  { do: "wait", ms: 1_000 },
  { do: "put", site: 0, size: 1 },
  { do: "wait", ms: 1_000 },
];

test.each([
  ["before it is sent", "before"],
  ["before its answer arrives", "applied"],
] as const)(
  "reaches the desired state after a crash at each effect of a site's life, %s",
  async (_, when) => {
    let effects = 0;
    for (let isReached = true; isReached; ) {
      const point = { after: effects, when };
      const steps: Step[] = [{ do: "wait", ms: 100 }, { do: "crash", point, down: 50 }, ...life];
      const history: History = { seed: `effect ${effects}`, scenario, steps };
      const { problems, counts } = await runHistory(history);
      expect({ effects, problems }).toEqual({ effects, problems: [] });
      isReached = counts.crashes === 1;
      if (isReached) effects++;
    }
    // Finalizer, record, Deployment and status, and again for each change.
    expect(effects).toBeGreaterThanOrEqual(18);
  },
  300_000,
);
