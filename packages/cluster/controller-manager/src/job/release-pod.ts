import { type Client, isConflict, isNotFound, type Pod, pods } from "@operator-path/client";
import type { MutationCache } from "../mutation-cache.ts";
import { nameOf, namespaceOf, uidOf } from "../objects.ts";
import { isTracked, trackingFinalizer } from "./job-pod.ts";

/** Takes the tracking finalizer off a Pod, if it has it. */
export async function releasePod(client: Client, written: MutationCache<Pod>, pod: Pod): Promise<void> {
  if (!isTracked(pod)) return;
  const patch = {
    metadata: { uid: uidOf(pod), "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] },
  };
  try {
    const released = await client
      .resource(pods)
      .namespace(namespaceOf(pod))
      .patch(nameOf(pod), patch, { type: "strategic" });
    written.written(released);
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
