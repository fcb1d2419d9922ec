import type { Strategy } from "../../server/registry/strategy.ts";
import { releaseDefinition } from "../definition/removal.ts";

export const customResourceStrategy: Strategy = {
  generation: true,
  // apiextensions: an update without a resourceVersion is refused.
  unconditionalUpdate: false,
  afterDelete: releaseDefinition,
};
