import { type Client, type Clock, isConflict, isNotFound, type Pod, pods } from "@operator-path/client";
import { type EventRecorder, keyOf, type Lister, splitKey } from "@operator-path/informers";
import { isAlive, isReady, selects } from "./select.ts";
import { isInstalled, isServed, toolContainer } from "./tool-container.ts";
import { type Podbuggertool, podbuggertools } from "./types.ts";

export interface Surroundings {
  client: Client;
  podLister: Lister<Pod>;
  toolLister: Lister<Podbuggertool>;
  recorder: EventRecorder;
  clock: Clock;
}

export function createReconciler({ client, podLister, toolLister, recorder, clock }: Surroundings) {
  /** Gives the Pods of one tool what they lack. If nothing is missing, it writes nothing. */
  return async function reconcile(key: string, signal: AbortSignal): Promise<void> {
    const { namespace, name } = splitKey(key);
    const candidates = podLister.namespace(namespace).list();
    const tool = toolLister.get(key);
    if (!tool) return;
    const selected = candidates.filter((pod) => selects(tool, pod) && isAlive(pod));
    const failures: unknown[] = [];
    for (const pod of selected.filter((pod) => !isServed(pod, tool))) {
      const ready = await untilReady(pod, signal);
      if (ready) await addTool(tool, ready).catch((error) => failures.push(error));
    }
    await updateStatus(tool, selected.filter((pod) => isInstalled(pod, tool)).length);
    // Only now: one Pod that cannot be served must not delay the others.
    if (failures.length > 0) throw failures.find((error) => !isConflict(error)) ?? failures[0];
  };

  async function addTool(tool: Podbuggertool, pod: Pod): Promise<void> {
    const { name = "", namespace = "", uid, resourceVersion } = pod.metadata ?? {};
    const container = toolContainer(tool, pod);
    const patch = { metadata: { uid, resourceVersion }, spec: { ephemeralContainers: [container] } };
    try {
      const inNamespace = client.resource(pods).namespace(namespace);
      await inNamespace.patch(name, patch, { type: "strategic", subresource: "ephemeralcontainers" });
    } catch (error) {
      if (isNotFound(error)) return;
      // The user who made the tool does not look at the Pod.
      if (!isConflict(error)) recorder.event(pod, "Warning", "NotInstalled", `Pod ${name}: ${error}`);
      throw error;
    }
    console.log(`${tool.metadata?.name}: added ${container.name} to ${name}`);
    recorder.event(pod, "Normal", "ToolInstalled", `Added ${container.name} for ${tool.metadata?.name}`);
  }

  /** Looks at once, then every 3 seconds, for 120 at most. */
  async function untilReady(pod: Pod, signal: AbortSignal): Promise<Pod | undefined> {
    for (let waited = 0; waited <= 120_000; waited += 3_000) {
      const now = podLister.get(keyOf(pod));
      if (!now || isReady(now)) return now;
      await clock.sleep(3_000, signal);
    }
    return undefined;
  }

  async function updateStatus(tool: Podbuggertool, installed: number): Promise<void> {
    if (tool.status?.installed === installed) return;
    const { name = "", namespace = "" } = tool.metadata ?? {};
    const tools = client.resource(podbuggertools).namespace(namespace);
    await tools.patch(name, { status: { installed } }, { type: "merge", subresource: "status" });
  }
}
