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
    // Looks each owner up, and enqueues only those that still exist.
    const namespace = pod.metadata?.namespace ?? "";
    const tools = toolLister.namespace(namespace).list();
    for (const tool of tools.filter((tool) => selects(tool, pod))) queue.add(keyOf(tool));
    for (const name of ownersIn(pod)) {
      if (toolLister.get(`${namespace}/${name}`)) queue.add(`${namespace}/${name}`);
    }
  }

  return { run: (signal: AbortSignal) => runWorkers(queue, { process: reconcile }, signal) };
}
