import type { Pod, Service } from "@operator-path/client";
import { keyOf } from "@operator-path/informers";
import { nameOf } from "../objects.ts";

/** The annotation that says since when endpoints should have looked like this: what their latency is measured by. */
export const lastChangeTriggerTimeAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

export interface TriggerTimes {
  /**
   * When the earliest change that has not been seen before was made (RFC 3339); undefined when there was none. For a
   * Service that is seen for the first time it is its creation. (k8s.io/endpointslice: TriggerTimeTracker.)
   */
  changedAt(service: Service, pods: Pod[]): string | undefined;
  forget(key: string): void;
}

export function createTriggerTimes(): TriggerTimes {
  const known = new Map<string, { service: string; pods: Map<string, string> }>();
  return {
    changedAt(service, pods) {
      const key = keyOf(service);
      const before = known.get(key);
      const created = service.metadata?.creationTimestamp ?? "";
      const times = new Map(pods.map((pod) => [nameOf(pod), readyTransition(pod)]));
      known.set(key, { service: created, pods: times });
      if (before === undefined) return created || undefined;
      // Of one format and one zone: they sort as texts.
      const changed = [...times].filter(([name, time]) => time > (before.pods.get(name) ?? ""));
      const candidates = [...changed.map(([, time]) => time), ...(created > before.service ? [created] : [])];
      return candidates.sort()[0];
    },
    forget: (key) => void known.delete(key),
  };
}

function readyTransition({ status }: Pod): string {
  return status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime ?? "";
}
