import { events, isConflict, isNotFound, type Pod, pods } from "@operator-path/client";
import {
  type Client,
  ignoreNotFound,
  type Logger,
  mergeFrom,
  strategicMergeFrom,
  type Reader,
  type ReconcileContext,
  type Request,
  type Result,
} from "@operator-path/controller-runtime";
import type { EventRecorder } from "@operator-path/informers";
import type { Patience } from "./patience.ts";
import { isAlive, isReady, selects } from "./select.ts";
import { containersOf, isInstalled, isServed, toolContainer } from "./tool-container.ts";
import { type Podbuggertool, podbuggertools } from "./types.ts";

export interface Surroundings {
  /** Reads from the cache, writes to the server. */
  client: Client;
  /** Reads from the server. */
  apiReader: Reader;
  recorder: EventRecorder;
  patience: Patience;
}

export function createReconciler({ client, apiReader, recorder, patience }: Surroundings) {
  /** Gives the Pods of one tool what they lack. If nothing is missing, it writes nothing. */
  return async function reconcile(request: Request, { log }: ReconcileContext): Promise<Result> {
    const candidates = await client.list(pods, { namespace: request.namespace });
    const tool = await client.get(podbuggertools, request).catch(ignoreNotFound);
    if (!tool) {
      await announceRemoval(request, candidates);
      return {};
    }
    const selected = candidates.filter((pod) => selects(tool, pod) && isAlive(pod));
    const failures: unknown[] = [];
    const result: Result = {};
    for (const pod of selected.filter((pod) => !isServed(pod, tool))) {
      if (isReady(pod)) await addTool(tool, pod, log).catch((error) => failures.push(error));
      else result.requeueAfter = shorter(result.requeueAfter, timeLeft(pod, log));
    }
    await updateStatus(tool, selected.filter((pod) => isInstalled(pod, tool)).length);
    // Only now: one Pod that cannot be served must not delay the others.
    if (failures.length > 0) throw failures[0];
    return result;
  };

  async function addTool(tool: Podbuggertool, pod: Pod, log: Logger): Promise<void> {
    const { name = "" } = pod.metadata ?? {};
    const container = toolContainer(tool, pod);
    const spec = { ...pod.spec, ephemeralContainers: [container, ...(pod.spec?.ephemeralContainers ?? [])] };
    // The whole Pod as we read it, with its resourceVersion.
    const failure = await client
      .subResource("ephemeralcontainers")
      .patch({ ...pod, spec } as Pod, strategicMergeFrom(pod, { optimisticLock: true }))
      .then(() => undefined, (error: unknown) => error);
    if (isConflict(failure) || isNotFound(failure)) return;
    if (failure !== undefined) {
      recorder.event(tool, "Warning", "NotInstalled", `${name}: ${failure}`);
      throw failure;
    }
    log.info(`gave ${name} a container`);
    recorder.event(pod, "Normal", "ToolInstalled", `Added ${container.name}`);
  }

  /** A Pod that stays unready for 120 seconds is given up, until its spec changes or it becomes ready. */
  function timeLeft(pod: Pod, log: Logger): number | undefined {
    const left = patience.left(pod);
    if (left === 0) {
      log.info(`gave up on ${pod.metadata?.name}`);
      recorder.event(pod, "Warning", "NotReady", "Not ready for 120 s: no tool is added until that changes");
    }
    return left || undefined;
  }

  /** An ephemeral container cannot be removed. Records an Event that says so, once for each Pod. */
  async function announceRemoval(tool: Request, candidates: Pod[]): Promise<void> {
    for (const pod of candidates) {
      const names = containersOf(tool.name, pod).map((container) => container.name);
      if (names.length === 0) continue;
      const message = `${tool.name} was deleted; until the Pod is replaced it keeps ${names.join(", ")}`;
      const fields = { "involvedObject.uid": pod.metadata?.uid ?? "", reason: "ToolRemoved" };
      const said = await apiReader.list(events, { namespace: tool.namespace, fields });
      if (said.some((event) => event.message === message)) continue;
      recorder.event(pod, "Normal", "ToolRemoved", message);
      await recorder.flush();
    }
  }

  async function updateStatus(tool: Podbuggertool, installed: number): Promise<void> {
    if (tool.status?.installed === installed) return;
    await client.status.patch({ ...tool, status: { installed } }, mergeFrom(tool));
  }
}

function shorter(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
