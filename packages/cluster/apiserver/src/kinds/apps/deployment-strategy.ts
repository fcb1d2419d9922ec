import { isDeepStrictEqual } from "node:util";
import type { Strategy } from "../../server/registry/strategy.ts";

export const deploymentStrategy: Strategy = {
  generation: true,
  prepareForUpdate(draft, old, _context, subresource) {
    if (subresource !== "status") return;
    // The status may not change labels: apps/v1 deploymentStatusStrategy.
    if (old.metadata.labels === undefined) delete draft.metadata.labels;
    else draft.metadata.labels = old.metadata.labels;
  },
  // Annotations count: `kubectl rollout` and the controller pass revisions and change causes in them.
  generationChanged: (draft, old) =>
    !isDeepStrictEqual(draft.spec, old.spec) ||
    !isDeepStrictEqual(draft.metadata.annotations ?? {}, old.metadata.annotations ?? {}),
};
