import { type Event, events, isConflict, isNotFound } from "@operator-path/client";
import { createWorkQueue } from "@operator-path/informers";
import { type Controller, type ControllerContext, runController } from "../controller.ts";
import { nameOf, namespaceOf, uidOf } from "../objects.ts";

/** How long an Event is kept after its last write: kube-apiserver's default for --event-ttl. */
const timeToLiveMs = 60 * 60_000;
const intervalMs = 5 * 60_000;
const pageSize = 500;

/**
 * Deletes Events one hour after they were last seen, so that they do not fill a long-running cluster. A real
 * API server expires them with etcd leases, so there is nothing to delete there. Lists Events page by page
 * every five minutes instead of watching them, because no other controller here reads them.
 */
export function createEventTtlController(context: ControllerContext): Controller {
  const { client, clock } = context;
  const queue = createWorkQueue<string>({ clock });
  queue.addAfter("events", intervalMs);
  return runController(context, { name: "event-ttl", queue, workers: 1, reconcile });

  async function reconcile(key: string): Promise<void> {
    let next: string | undefined;
    do {
      const page = await client.resource(events).list({ limit: pageSize, ...(next && { continue: next }) });
      for (const event of page.items) if (isExpired(event)) await remove(event);
      next = page.metadata.continue;
    } while (next);
    queue.addAfter(key, intervalMs);
  }

  function isExpired({ metadata, lastTimestamp, eventTime, series }: Event): boolean {
    const last = series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp;
    return last !== undefined && clock.now() - Date.parse(last) > timeToLiveMs;
  }

  async function remove(event: Event): Promise<void> {
    const { resourceVersion } = event.metadata;
    const preconditions = { uid: uidOf(event), ...(resourceVersion && { resourceVersion }) };
    await client
      .resource(events)
      .namespace(namespaceOf(event))
      .delete(nameOf(event), { preconditions })
      .catch((error) => {
        // Already deleted, or seen again in the meantime.
        if (!isNotFound(error) && !isConflict(error)) throw error;
      });
  }
}
