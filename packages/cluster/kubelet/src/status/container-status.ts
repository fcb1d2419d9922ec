import { type ContainerRun, type ContainerSlot, isRunning } from "../pod/container-slot.ts";
import { type ContainerState, type ContainerStatus, metaTime, type TerminatedState } from "../pod/types.ts";
import type { ContainerExit } from "../runtime/contracts.ts";

/** The container runtime's name in container IDs and in the Node's nodeInfo. */
export const RUNTIME = "operator-path";

/**
 * Returns one entry of a Pod's containerStatuses.
 * @param notStarted the waiting reason of a container without a state: `ContainerCreating` or
 *   `PodInitializing`
 */
export function containerStatus(slot: ContainerSlot, notStarted: string): ContainerStatus {
  const { run } = slot;
  const running = isRunning(slot);
  // While a container waits for its restart, its ended run already counts as the last one.
  const last = slot.waiting && run?.exit ? terminated(run) : slot.lastState;
  return {
    name: slot.name,
    image: run?.image.name ?? slot.spec.image ?? "",
    imageID: run ? `${run.image.repository}@${run.imageDigest}` : "",
    ...(run ? { containerID: `${RUNTIME}://${run.id}` } : {}),
    restartCount: slot.restartCount,
    ready:
      slot.kind === "init" && run?.exit
        ? run.exit.code === 0
        : running && slot.ready && slot.kind !== "ephemeral",
    ...(slot.kind === "ephemeral" ? {} : { started: running && slot.started }),
    state: state(slot, notStarted),
    lastState: last ? { terminated: last } : {},
    ...(slot.kind === "ephemeral" ? {} : { resources: slot.spec.resources ?? {} }),
    ...(slot.spec.resources?.requests ? { allocatedResources: slot.spec.resources.requests } : {}),
    ...(run ? { user: { linux: { ...run.user, supplementalGroups: [run.user.gid] } } } : {}),
    ...(slot.spec.volumeMounts?.length
      ? {
          volumeMounts: slot.spec.volumeMounts.map(({ name, mountPath, readOnly }) => ({
            name,
            mountPath,
            ...(readOnly ? { readOnly, recursiveReadOnly: "Disabled" } : {}),
          })),
        }
      : {}),
  };
}

function state(slot: ContainerSlot, notStarted: string): ContainerState {
  const { run, waiting } = slot;
  if (isRunning(slot) && run) return { running: { startedAt: metaTime(run.startedAt) } };
  if (waiting) return { waiting };
  if (run?.exit) return { terminated: terminated(run) };
  return { waiting: { reason: notStarted } };
}

/** Returns the terminated state of a run. */
export function terminated(run: ContainerRun): TerminatedState {
  const exit: Omit<ContainerExit, "endedAt"> = run.exit ?? {
    code: 0,
    reason: "Completed",
    finishedAt: run.startedAt,
  };
  return {
    exitCode: exit.code,
    reason: exit.reason,
    ...(exit.message ? { message: exit.message } : {}),
    startedAt: metaTime(run.startedAt),
    finishedAt: metaTime(exit.finishedAt),
    containerID: `${RUNTIME}://${run.id}`,
  };
}
