import type { Strategy } from "../strategy.ts";

export const deploymentStrategy: Strategy = {
  generation: true,
  prepareForUpdate(draft, old, _context, subresource) {
    if (subresource !== "status") return;
    // The status may not change labels: apps/v1 deploymentStatusStrategy.
    if (old.metadata.labels === undefined) delete draft.metadata.labels;
    else draft.metadata.labels = old.metadata.labels;
  },
};
