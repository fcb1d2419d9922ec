import { type Client, isConflict, isNotFound, type Pod, pods } from "@operator-path/client";
import { type EventRecorder, type Lister, type Result, splitKey } from "@operator-path/informers";
import { every, type Patience } from "./patience.ts";
import { isAlive, isReady, selects } from "./select.ts";
import { containersOf, isServed, toolContainer } from "./tool-container.ts";
import { type Podbuggertool, podbuggertools } from "./types.ts";

export interface Surroundings {
  client: Client;
  podLister: Lister<Pod>;
  toolLister: Lister<Podbuggertool>;
  events: EventRecorder;
  patience: Patience;
}

export function createReconciler({ client, podLister, toolLister, events, patience }: Surroundings) {
  /** Makes the cluster what one tool asks for. When nothing is missing, it does nothing. */
  return async function reconcile(key: string): Promise<Result> {
    const { namespace, name } = splitKey(key);
    const candidates = podLister.namespace(namespace).list();
    const tool = toolLister.get(key);
    if (!tool) {
      announceRemoval(name, candidates);
      return {};
    }
    const selected = candidates.filter((pod) => selects(tool, pod) && isAlive(pod));
    const unserved = selected.filter((pod) => !isServed(pod, tool));
    const failures: unknown[] = [];
    const result: Result = {};
    for (const pod of unserved) {
      if (isReady(pod)) await addTool(tool, pod).catch((error) => failures.push(error));
      else if (isWorthWaiting(pod)) result.requeueAfter = every;
    }
    await updateStatus(tool, selected.length - unserved.length);
    if (failures.length > 0) throw new AggregateError(failures, failures.join("; "));
    return result;
  };

  async function addTool(tool: Podbuggertool, pod: Pod): Promise<void> {
    const { name = "", namespace = "", uid, resourceVersion } = pod.metadata ?? {};
    const container = toolContainer(tool, pod);
    const patch = {
      // Only if the Pod is the very one we looked at. Otherwise: 409 Conflict, and another try on fresher eyes.
      metadata: { uid, resourceVersion },
      spec: { ephemeralContainers: [container] },
    };
    try {
      const inNamespace = client.resource(pods).namespace(namespace);
      await inNamespace.patch(name, patch, { type: "strategic", subresource: "ephemeralcontainers" });
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error)) events.event(tool, "Warning", "NotInstalled", `Pod ${name}: ${error}`);
      throw error;
    }
    console.log(`${tool.metadata?.name}: added ${container.name} to ${name}`);
    events.event(pod, "Normal", "ToolInstalled", `Added ${container.name} for ${tool.metadata?.name}`);
  }

  /** A Pod that stays unready for 120 seconds is given up, until it changes. */
  function isWorthWaiting(pod: Pod): boolean {
    const verdict = patience.with(pod);
    if (verdict === "give up") {
      console.log(`gave up on ${pod.metadata?.name}`);
      events.event(pod, "Warning", "NotReady", "Not ready for 120 s: no tool is added until it changes");
    }
    return verdict === "wait";
  }

  /** Nobody can take an ephemeral container out of a Pod. What one can do is say so. */
  function announceRemoval(toolName: string, candidates: Pod[]): void {
    for (const pod of candidates) {
      const names = containersOf(toolName, pod).map((container) => container.name);
      if (names.length === 0) continue;
      const message = `${toolName} was deleted; until the Pod is replaced it keeps ${names.join(", ")}`;
      events.event(pod, "Normal", "ToolRemoved", message);
    }
  }

  async function updateStatus(tool: Podbuggertool, installed: number): Promise<void> {
    if (tool.status?.installed === installed) return;
    const { name = "", namespace = "" } = tool.metadata ?? {};
    const tools = client.resource(podbuggertools).namespace(namespace);
    await tools.patch(name, { status: { installed } }, { type: "merge", subresource: "status" });
  }
}
