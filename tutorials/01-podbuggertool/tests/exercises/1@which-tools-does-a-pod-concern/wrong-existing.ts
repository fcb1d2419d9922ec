import { type Client, type Clock, type Pod, pods, systemClock } from "@operator-path/client";
import {
  createWorkQueue,
  type EventRecorder,
  type InformerFactory,
  keyOf,
  runWorkers,
  unwrapTombstone,
} from "@operator-path/informers";
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
  const reconcile = createReconciler({ client, podLister, toolLister });

  toolInformer.addEventHandler({
    added: (tool) => queue.add(keyOf(tool)),
    updated: (_, tool) => queue.add(keyOf(tool)),
    deleted: (tool) => queue.add(keyOf(tool)),
  });

  podInformer.addEventHandler({
    added: enqueueToolsOf,
    updated: (_, pod) => enqueueToolsOf(pod),
    deleted: (pod) => enqueueToolsOf(unwrapTombstone(pod)),
  });

  /** The tools that select the Pod, and those that once added a container to it. */
  function enqueueToolsOf(pod: Pod): void {
    // A tool that is deleted is not in the lister, so its key never gets into the queue.
    const owners = ownersIn(pod);
    const tools = toolLister.namespace(pod.metadata?.namespace ?? "").list();
    for (const tool of tools) {
      if (selects(tool, pod) || owners.includes(tool.metadata?.name ?? "")) queue.add(keyOf(tool));
    }
  }

  return { run: (signal: AbortSignal) => runWorkers(queue, { process: reconcile }, signal) };
}
