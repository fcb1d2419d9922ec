import { type Pod, pods } from "@operator-path/client";
import {
  enqueueRequestsFromMapFunc,
  handlerFuncs,
  type Manager,
  newControllerManagedBy,
  type Request,
} from "@operator-path/controller-runtime";
import { createPatience } from "./patience.ts";
import { createReconciler } from "./reconcile.ts";
import { selects } from "./select.ts";
import { ownersIn } from "./tool-container.ts";
import { podbuggertools } from "./types.ts";

/** Adds the controller, with everything that wakes it, to a manager. */
export function addController(manager: Manager): void {
  const { client, apiReader } = manager;
  const recorder = manager.eventRecorderFor("podbuggertool");
  const patience = createPatience(manager.clock);

  newControllerManagedBy(manager)
    .for(podbuggertools)
    .watches(pods, enqueueRequestsFromMapFunc(toolsOf))
    .watches(pods, handlerFuncs({ deleted: ({ object: pod }) => patience.forget(pod) }))
    // A replica that is not the leader fills its caches too, so it can take over at once.
    .withOptions({ enableWarmup: true })
    .complete(createReconciler({ client, apiReader, recorder, patience }));

  /** Returns the tools that select the Pod, and those that once added a container to it. */
  async function toolsOf(pod: Pod): Promise<Request[]> {
    const namespace = pod.metadata?.namespace ?? "";
    const tools = await client.list(podbuggertools, { namespace });
    const selecting = tools.filter((tool) => selects(tool, pod)).map((tool) => tool.metadata?.name ?? "");
    return selecting.map((name) => ({ namespace, name }));
  }
}
