import {
  type Client,
  isConflict,
  isNotFound,
  type Pod,
  pods,
  type StrategicMergePatch,
} from "@operator-path/client";
import type { PodCondition, PodStatus } from "../pod/types.ts";

/** Writes a Pod's status if it differs from the status written last. */
export interface StatusWriter {
  write(pod: Pod, status: PodStatus): Promise<void>;
}

// A null removes a field in a strategic merge patch. Fields and conditions that a Pod no longer has must be
// removed.
const OPTIONAL_FIELDS = [
  "reason",
  "message",
  "podIP",
  "podIPs",
  "initContainerStatuses",
  "ephemeralContainerStatuses",
];

/**
 * Patches the status subresource as the kubelet does. The strategic merge patch keeps the conditions of other
 * writers. Its uid protects a later Pod of the same name.
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
      // The server merges this list by address. After a restart of the node, the previous sandbox's address
      // must be removed.
      const podIPs =
        status.podIPs && old && old !== status.podIPs.map(({ ip }) => ip).join()
          ? { podIPs: [{ $patch: "replace" }, ...status.podIPs] }
          : {};
      const patch = {
        metadata: { uid: pod.metadata?.uid },
        // No type fits: an item of podIPs is an address or a directive.
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
        // The Pod is deleted, or another Pod has its name.
        if (isNotFound(error) || isConflict(error)) return;
        throw error;
      }
    },
  };
}

function withNulls(condition: PodCondition) {
  return { reason: null, message: null, ...condition };
}
