import { isDeepStrictEqual } from "node:util";
import type { ApiObject } from "../../lib/json/json.ts";
import { isJsonObject } from "../../lib/json/json.ts";
import type { Strategy } from "../../server/registry/strategy.ts";

/** Counts changes of the template. A field of earlier versions: apps/v1 shows it as an annotation. */
const templateGeneration = "deprecated.daemonset.template.generation";

export const daemonSetStrategy: Strategy = {
  generation: true,
  initialStatus: () => ({
    currentNumberScheduled: 0,
    desiredNumberScheduled: 0,
    numberMisscheduled: 0,
    numberReady: 0,
  }),
  prepareForCreate: (draft) => setTemplateGeneration(draft, 1),
  prepareForUpdate(draft, old, _context, subresource) {
    const before = Number(old.metadata.annotations?.[templateGeneration] ?? 0);
    const changed = subresource === "" && !isDeepStrictEqual(templateOf(draft), templateOf(old));
    setTemplateGeneration(draft, changed ? before + 1 : before);
  },
};

function setTemplateGeneration({ metadata }: ApiObject, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(generation) };
}

function templateOf({ spec }: ApiObject) {
  return isJsonObject(spec) ? spec.template : undefined;
}
