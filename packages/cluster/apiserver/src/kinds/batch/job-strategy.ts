import { type ApiObject, isJsonObject, type JsonObject } from "../../lib/json/json.ts";
import type { Strategy } from "../../server/registry/strategy.ts";

const controllerUid = "batch.kubernetes.io/controller-uid";

/**
 * A Job chooses its selector itself, by its own uid, so that no two can fight over Pods; unless it is told that somebody
 * else has seen to that. (batch/v1 jobStrategy.)
 */
export const jobStrategy: Strategy = {
  generation: true,
  prepareForCreate(draft) {
    const spec = isJsonObject(draft.spec) ? draft.spec : {};
    if (spec.manualSelector === true) return;
    const { uid = "", name = "" } = draft.metadata;
    const labels = {
      "controller-uid": uid,
      "job-name": name,
      [controllerUid]: uid,
      "batch.kubernetes.io/job-name": name,
    };
    const template = isJsonObject(spec.template) ? spec.template : {};
    const metadata = isJsonObject(template.metadata) ? template.metadata : {};
    const own = isJsonObject(metadata.labels) ? metadata.labels : {};
    const selector = isJsonObject(spec.selector) ? spec.selector : {};
    const matchLabels = isJsonObject(selector.matchLabels) ? selector.matchLabels : {};
    const wanted = { ...own, ...missing(labels, own) };
    draft.spec = {
      ...spec,
      selector: {
        ...selector,
        matchLabels: { ...matchLabels, ...missing({ [controllerUid]: uid }, matchLabels) },
      },
      template: { ...template, metadata: { ...metadata, labels: wanted } },
    };
    labelLikeTemplate(draft, own, wanted);
  },
};

/** A label that is there already stays, and validation finds it. */
function missing(labels: Record<string, string>, present: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => present[key] === undefined));
}

/** A Job that has no labels of its own shares those of its template: also what the server puts there. */
function labelLikeTemplate(draft: ApiObject, before: JsonObject, after: JsonObject): void {
  const { labels = {} } = draft.metadata;
  const shares = Object.keys(labels).length === 0 || (labels as unknown) === before;
  if (shares) draft.metadata.labels = after as Record<string, string>;
}
