import { type Client, type Clock, isConflict, type Pod, pods, systemClock } from "@operator-path/client";
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
import { ownersIn } from "./tool-container.ts";
import { podbuggertools } from "./types.ts";

/** Watches tools and Pods, and reconciles the tools that a change concerns. */
export function createController(
  client: Client,
  informers: InformerFactory,
  recorder: EventRecorder,
  clock: Clock = systemClock,
) {
  const queue = createWorkQueue<string>({ clock });
  const podInformer = informers.informer(pods);
  const toolInformer = informers.informer(podbuggertools);
  const podLister = podInformer.lister;
  const toolLister = toolInformer.lister;
  const patience = createPatience(clock);
  const reconcile = createReconciler({ client, podLister, toolLister, recorder, patience });

  toolInformer.addEventHandler({
    added: (tool) => queue.add(keyOf(tool)),
    updated: (_, tool) => queue.add(keyOf(tool)),
    deleted: (tool) => queue.add(keyOf(tool)),
  });

  podInformer.addEventHandler({
    added: enqueueToolsOf,
    updated: (_, pod) => enqueueToolsOf(pod),
    deleted: (gone) => {
      const pod = unwrapTombstone(gone);
      patience.forget(pod);
      enqueueToolsOf(pod);
    },
  });

  /** The tools that select the Pod, and those that once added a container to it. */
  function enqueueToolsOf(pod: Pod): void {
    const namespace = pod.metadata?.namespace ?? "";
    const tools = toolLister.namespace(namespace).list();
    for (const tool of tools.filter((tool) => selects(tool, pod))) queue.add(keyOf(tool));
    for (const name of ownersIn(pod)) queue.add(`${namespace}/${name}`);
  }

  return {
    /** Reconciles until the signal aborts. Resolves when the running reconciles have finished. */
    async run(signal: AbortSignal): Promise<void> {
      // After a conflict, the cache was a little behind. The next try sees the change.
      const onError = (error: unknown, key: string) => {
        if (isConflict(error) || signal.aborted) return;
        const cause = error instanceof Error ? error.stack : error;
        const failures = queue.numRequeues(key);
        console.log(`${key}: ${failures > 1 ? `${error} (failed ${failures} times)` : cause}`);
      };
      await runWorkers(queue, { process: reconcile, onError }, signal);
    },
  };
}
