import {
  type Client,
  isConflict,
  isNotFound,
  type Pod,
  pods,
  type StrategicMergePatch,
} from "@operator-path/client";
import type { PodCondition, PodStatus } from "../pod/types.ts";

/** Writes a Pod's status when it differs from what was written last. */
export interface StatusWriter {
  write(pod: Pod, status: PodStatus): Promise<void>;
}

// Nulls remove in a strategic merge patch: what a field or a condition no longer has must go from the server too.
const OPTIONAL_FIELDS = [
  "reason",
  "message",
  "podIP",
  "podIPs",
  "initContainerStatuses",
  "ephemeralContainerStatuses",
];

/**
 * Patches the status subresource as the kubelet does: a strategic merge patch, so that conditions of others stay, that
 * carries the uid, so that a Pod of the same name that came later is left alone.
 */
export function createStatusWriter(client: Client): StatusWriter {
  let written = "";
  return {
    async write(pod, status) {
      const text = JSON.stringify(status);
      if (text === written) return;
      const absent = Object.fromEntries(
        OPTIONAL_FIELDS.filter((name) => !(name in status)).map((name) => [name, null]),
      );
      const conditions = status.conditions?.map((condition) => withNulls(condition));
      const old = pod.status?.podIPs?.map(({ ip }) => ip).join();
      // The list is merged by address: that of another sandbox (the node was restarted) has to be sent away.
      const podIPs =
        status.podIPs && old && old !== status.podIPs.map(({ ip }) => ip).join()
          ? { podIPs: [{ $patch: "replace" }, ...status.podIPs] }
          : {};
      const patch = {
        metadata: { uid: pod.metadata?.uid },
        // It cannot be typed: items of podIPs are an address or a directive.
        status: { ...absent, ...status, conditions, ...podIPs } as StrategicMergePatch<PodStatus>,
      };
      try {
        await client
          .resource(pods)
          .namespace(pod.metadata?.namespace ?? "default")
          .patch(pod.metadata?.name ?? "", patch, {
            type: "strategic",
            subresource: "status",
            fieldManager: "kubelet",
          });
        written = text;
      } catch (error) {
        // Gone, or replaced by another of its name: nothing is left to report on.
        if (isNotFound(error) || isConflict(error)) return;
        throw error;
      }
    },
  };
}

function withNulls(condition: PodCondition) {
  return { reason: null, message: null, ...condition };
}
