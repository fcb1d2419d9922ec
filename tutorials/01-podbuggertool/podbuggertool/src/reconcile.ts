import { type Client, events, isConflict, isNotFound, type Pod, pods } from "@operator-path/client";
import { type EventRecorder, type Lister, type Result, splitKey } from "@operator-path/informers";
import type { Patience } from "./patience.ts";
import { isAlive, isReady, selects } from "./select.ts";
import { containersOf, isInstalled, isServed, toolContainer } from "./tool-container.ts";
import { type Podbuggertool, podbuggertools } from "./types.ts";

export interface Surroundings {
  client: Client;
  podLister: Lister<Pod>;
  toolLister: Lister<Podbuggertool>;
  recorder: EventRecorder;
  patience: Patience;
}

export function createReconciler({ client, podLister, toolLister, recorder, patience }: Surroundings) {
  /** Gives the Pods of one tool what they lack. If nothing is missing, it writes nothing. */
  return async function reconcile(key: string): Promise<Result> {
    const { namespace, name } = splitKey(key);
    const candidates = podLister.namespace(namespace).list();
    const tool = toolLister.get(key);
    if (!tool) {
      await announceRemoval(namespace, name, candidates);
      return {};
    }
    const selected = candidates.filter((pod) => selects(tool, pod) && isAlive(pod));
    const failures: unknown[] = [];
    const result: Result = {};
    for (const pod of selected.filter((pod) => !isServed(pod, tool))) {
      if (isReady(pod)) await addTool(tool, pod).catch((error) => failures.push(error));
      else result.requeueAfter = shorter(result.requeueAfter, timeLeft(pod));
    }
    await updateStatus(tool, selected.filter((pod) => isInstalled(pod, tool)).length);
    // Only now: one Pod that cannot be served must not delay the others.
    if (failures.length > 0) throw failures.find((error) => !isConflict(error)) ?? failures[0];
    return result;
  };

  async function addTool(tool: Podbuggertool, pod: Pod): Promise<void> {
    const { name = "", namespace = "", uid, resourceVersion } = pod.metadata ?? {};
    const container = toolContainer(tool, pod);
    const patch = {
      // Only if the Pod is still the one in our cache. Otherwise the server answers 409 Conflict.
      metadata: { uid, resourceVersion },
      spec: { ephemeralContainers: [container] },
    };
    try {
      const inNamespace = client.resource(pods).namespace(namespace);
      await inNamespace.patch(name, patch, { type: "strategic", subresource: "ephemeralcontainers" });
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error)) recorder.event(tool, "Warning", "NotInstalled", `Pod ${name}: ${error}`);
      throw error;
    }
    console.log(`${tool.metadata?.name}: added ${container.name} to ${name}`);
    recorder.event(pod, "Normal", "ToolInstalled", `Added ${container.name} for ${tool.metadata?.name}`);
  }

  /** A Pod that stays unready for 120 seconds is given up, until its spec changes or it becomes ready. */
  function timeLeft(pod: Pod): number | undefined {
    const left = patience.left(pod);
    if (left === 0) {
      console.log(`gave up on ${pod.metadata?.name}`);
      recorder.event(pod, "Warning", "NotReady", "Not ready for 120 s: no tool is added until that changes");
    }
    return left || undefined;
  }

  /** An ephemeral container cannot be removed. Records an Event that says so, once for each Pod. */
  async function announceRemoval(namespace: string, toolName: string, candidates: Pod[]): Promise<void> {
    for (const pod of candidates) {
      const names = containersOf(toolName, pod).map((container) => container.name);
      if (names.length === 0) continue;
      const message = `${toolName} was deleted; until the Pod is replaced it keeps ${names.join(", ")}`;
      const fieldSelector = `involvedObject.uid=${pod.metadata?.uid},reason=ToolRemoved`;
      const { items } = await client.resource(events).namespace(namespace).list({ fieldSelector });
      if (items.some((event) => event.message === message)) continue;
      recorder.event(pod, "Normal", "ToolRemoved", message);
      await recorder.flush();
    }
  }

  async function updateStatus(tool: Podbuggertool, installed: number): Promise<void> {
    if (tool.status?.installed === installed) return;
    const { name = "", namespace = "" } = tool.metadata ?? {};
    const tools = client.resource(podbuggertools).namespace(namespace);
    await tools.patch(name, { status: { installed } }, { type: "merge", subresource: "status" });
  }
}

function shorter(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
