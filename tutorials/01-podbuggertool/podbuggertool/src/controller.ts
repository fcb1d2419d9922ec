import { type Client, type Clock, type Pod, pods, systemClock } from "@operator-path/client";
import {
  createWorkQueue,
  type EventRecorder,
  type InformerFactory,
  keyOf,
  runWorkers,
  unwrapTombstone,
} from "@operator-path/informers";
import { createPatience } from "./patience.ts";
import { createReconciler } from "./reconcile.ts";
import { selects } from "./select.ts";
import { podbuggertools } from "./types.ts";

/** Hears of changes, and has the tools that they concern reconciled. */
export function createController(
  client: Client,
  informers: InformerFactory,
  events: EventRecorder,
  clock: Clock = systemClock,
) {
  const queue = createWorkQueue<string>({ clock });
  const podInformer = informers.informer(pods);
  const toolInformer = informers.informer(podbuggertools);
  const podLister = podInformer.lister;
  const toolLister = toolInformer.lister;
  const patience = createPatience(clock);
  const reconcile = createReconciler({ client, podLister, toolLister, events, patience });

  toolInformer.addEventHandler({
    added: (tool) => queue.add(keyOf(tool)),
    updated: (_, tool) => queue.add(keyOf(tool)),
    deleted: (tool) => queue.add(keyOf(tool)),
  });

  podInformer.addEventHandler({
    added: enqueueToolsOf,
    updated: (old, pod) => {
      enqueueToolsOf(old);
      enqueueToolsOf(pod);
    },
    deleted: (gone) => {
      const pod = unwrapTombstone(gone);
      patience.forget(pod);
      enqueueToolsOf(pod);
    },
  });

  function enqueueToolsOf(pod: Pod): void {
    for (const tool of toolLister.namespace(pod.metadata?.namespace ?? "").list()) {
      if (selects(tool, pod)) queue.add(keyOf(tool));
    }
  }

  return {
    /** Works until the signal aborts, then finishes what it is doing. */
    async run(signal: AbortSignal): Promise<void> {
      const onError = (error: unknown, key: string) => console.log(`${key}: ${error}; trying again`);
      await runWorkers(queue, { process: reconcile, onError }, signal);
    },
  };
}
