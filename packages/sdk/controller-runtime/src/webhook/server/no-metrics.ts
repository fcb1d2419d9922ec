import type { MetricsProvider } from "@operator-path/informers";

const nothing = { inc() {}, dec() {}, set() {}, observe() {} };

/** For servers without a registry. */
export const noMetrics: MetricsProvider = {
  counter: () => nothing,
  gauge: () => nothing,
  histogram: () => nothing,
};
