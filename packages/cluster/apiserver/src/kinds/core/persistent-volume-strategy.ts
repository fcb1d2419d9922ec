import { timestamp } from "../../lib/clock.ts";
import { type ApiObject, isJsonObject } from "../../lib/json/json.ts";
import type { Strategy, StrategyContext } from "../../server/registry/strategy.ts";

/** core/v1 PersistentVolume: its status tells since when it has been in its phase. */
export const persistentVolumeStrategy: Strategy = {
  returnsDeleted: true,
  prepareForCreate: (draft, context) => setPhase(draft, "Pending", context),
  prepareForUpdate(draft, old, context, subresource) {
    if (subresource !== "status") return;
    const [before, after] = [statusOf(old), statusOf(draft)];
    const isStated =
      after.lastPhaseTransitionTime !== undefined &&
      after.lastPhaseTransitionTime !== before.lastPhaseTransitionTime;
    if (isStated) return;
    if (after.phase !== before.phase) setPhase(draft, String(after.phase), context);
    else if (before.lastPhaseTransitionTime !== undefined) {
      draft.status = { ...after, lastPhaseTransitionTime: before.lastPhaseTransitionTime };
    }
  },
};

function setPhase(draft: ApiObject, phase: string, { clock }: Pick<StrategyContext, "clock">): void {
  draft.status = { ...statusOf(draft), phase, lastPhaseTransitionTime: timestamp(clock.now()) };
}

function statusOf({ status }: ApiObject) {
  return isJsonObject(status) ? status : {};
}
