import { type Client, type Clock, isConflict, isNotFound, type Pod, pods, systemClock } from "@operator-path/client";
import type { EventRecorder, InformerFactory, Result } from "@operator-path/informers";
import { createWorkQueue, keyOf, runWorkers, splitKey, unwrapTombstone } from "@operator-path/informers";
import { createPatience, every } from "./patience.ts";
import { containersOf, isServed, toolContainer } from "./tool-container.ts";
import { type Podbuggertool, podbuggertools } from "./types.ts";

/** Gives every Pod that a Podbuggertool selects the container it asks for. */
export function createController(
  client: Client,
  informers: InformerFactory,
  events: EventRecorder,
  clock: Clock = systemClock,
) {
  const podInformer = informers.informer(pods);
  const toolInformer = informers.informer(podbuggertools);
  const queue = createWorkQueue<string>({ clock });
  const patience = createPatience(clock);

  // The queue holds names of tools, not what happened to them: that, reconcile finds out for itself.
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
    const inNamespace = toolInformer.lister.namespace(pod.metadata?.namespace ?? "");
    for (const tool of inNamespace.list()) {
      if (selects(tool, pod)) queue.add(keyOf(tool));
    }
  }

  /** Makes the cluster what one tool asks for. When nothing is missing, it does nothing. */
  async function reconcile(key: string): Promise<Result> {
    const { namespace, name } = splitKey(key);
    const inNamespace = podInformer.lister.namespace(namespace);
    const tool = toolInformer.lister.namespace(namespace).get(name);
    if (!tool) {
      announceRemoval(name, inNamespace.list());
      return {};
    }
    const selected = inNamespace.list().filter((pod) => selects(tool, pod) && isAlive(pod));
    const failures: unknown[] = [];
    let waiting = false;
    for (const pod of selected.filter((pod) => !isServed(pod, tool))) {
      if (isReady(pod)) await addTool(tool, pod).catch((error) => failures.push(error));
      else waiting = waitFor(pod) || waiting;
    }
    await updateStatus(tool, selected.filter((pod) => isServed(pod, tool)).length);
    if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("; "));
    return waiting ? { requeueAfter: every } : {};
  }

  async function addTool(tool: Podbuggertool, pod: Pod): Promise<void> {
    const { name = "", namespace = "", uid, resourceVersion } = pod.metadata ?? {};
    const container = toolContainer(tool, pod);
    // Only if the Pod is still the one in our cache: a conflict otherwise, and another try when the cache has caught up.
    const patch = { metadata: { uid, resourceVersion }, spec: { ephemeralContainers: [container] } };
    try {
      const options = { type: "strategic", subresource: "ephemeralcontainers" } as const;
      await client.resource(pods).namespace(namespace).patch(name, patch, options);
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error)) events.event(tool, "Warning", "NotInstalled", `Pod ${name}: ${error}`);
      throw error;
    }
    console.log(`${tool.metadata?.name}: added ${container.name} to ${name}`);
    events.event(pod, "Normal", "ToolInstalled", `Added container ${container.name} for ${tool.metadata?.name}`);
  }

  /** Whether to look again: every 3 seconds, for 120 at most. Then the Pod has to change first. */
  function waitFor(pod: Pod): boolean {
    const look = patience.look(pod);
    if (look === "give up") {
      console.log(`gave up on ${pod.metadata?.name}`);
      events.event(pod, "Warning", "NotReady", "Not ready for 120 s: it gets no tool until it changes");
    }
    return look === "wait";
  }

  /** Says so on each Pod that has containers of a tool which is gone: nobody can remove them, except with the Pod. */
  function announceRemoval(toolName: string, candidates: Pod[]): void {
    for (const pod of candidates) {
      const names = containersOf(toolName, pod).map((container) => container.name);
      if (names.length === 0) continue;
      const message = `${toolName} was deleted; ${names.join(", ")} stays until the Pod is replaced`;
      events.event(pod, "Normal", "ToolRemoved", message);
    }
  }

  async function updateStatus(tool: Podbuggertool, installed: number): Promise<void> {
    if (tool.status?.installed === installed) return;
    const { name = "", namespace = "" } = tool.metadata ?? {};
    const patch = { status: { installed } };
    const options = { type: "merge", subresource: "status" } as const;
    await client.resource(podbuggertools).namespace(namespace).patch(name, patch, options);
  }

  return {
    /** Works until the signal aborts, then finishes what it is doing. */
    run: (signal: AbortSignal) =>
      runWorkers(
        queue,
        { process: reconcile, onError: (error, key) => console.log(`${key}: ${error}; trying again`) },
        signal,
      ),
  };
}

function selects(tool: Podbuggertool, pod: Pod): boolean {
  const [key = "", value] = tool.spec.label.split("=");
  return pod.metadata?.labels?.[key] === value;
}

function isAlive(pod: Pod): boolean {
  const over = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  return !over && !pod.metadata?.deletionTimestamp;
}

function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") ?? false;
}
