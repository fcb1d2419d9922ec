import { age } from "../../../apimachinery/duration.ts";
import {
  ageOf,
  definePrinter,
  type Named,
  nameOf,
  type PrintContext,
  type RowCondition,
} from "../../../server/table/printer.ts";
import { NONE } from "../../printing.ts";

export const podPrinter = definePrinter<Pod>((pod, context) => {
  const { ready, total, reason, restarts, lastRestart } = summarizePod(pod);
  return [
    nameOf(pod),
    `${ready}/${total}`,
    reason,
    formatRestarts(restarts, lastRestart, context),
    ageOf(pod, context),
    pod.status?.podIPs?.[0]?.ip || NONE,
    pod.spec?.nodeName || NONE,
    pod.status?.nominatedNodeName || NONE,
    formatReadinessGates(pod),
  ];
}, completed);

function formatRestarts(count: number, last: string | undefined, { now }: PrintContext): string {
  return count === 0 || last === undefined ? String(count) : `${count} (${age(last, now)} ago)`;
}

function formatReadinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  const open = gates.filter(({ conditionType }) => {
    return status?.conditions?.find(({ type }) => type === conditionType)?.status === "True";
  });
  return `${open.length}/${gates.length}`;
}

function completed({ status }: Pod): RowCondition[] {
  if (status?.phase !== "Succeeded" && status?.phase !== "Failed") return [];
  const message = status.phase === "Succeeded" ? "The pod has completed successfully." : "The pod failed.";
  return [{ type: "Completed", status: "True", reason: status.phase, message }];
}

interface Condition {
  type: string;
  status: string;
  reason?: string;
}

interface Terminated {
  exitCode?: number;
  signal?: number;
  reason?: string;
  finishedAt?: string;
}

interface ContainerStatus {
  name: string;
  ready?: boolean;
  started?: boolean;
  restartCount?: number;
  state?: { waiting?: { reason?: string }; running?: object; terminated?: Terminated };
  lastState?: { terminated?: Terminated };
}

/** The fields of a Pod that its table cells read. */
interface Pod extends Named {
  spec?: {
    nodeName?: string;
    containers?: { name: string }[];
    initContainers?: { name: string; restartPolicy?: string }[];
    readinessGates?: { conditionType: string }[];
  };
  status?: {
    phase?: string;
    reason?: string;
    conditions?: Condition[];
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
    podIPs?: { ip?: string }[];
    nominatedNodeName?: string;
  };
}

/** The values of READY, STATUS and RESTARTS in `kubectl get pods`. */
interface PodSummary {
  ready: number;
  /** Containers that count for READY: the ordinary ones and sidecars. */
  total: number;
  /** The one word (or `Init:0/1`) that describes the Pod's state best. */
  reason: string;
  restarts: number;
  /** When a container that counts for `restarts` last ended, in RFC 3339. */
  lastRestart: string | undefined;
}

interface Restarts {
  restarts: number;
  lastRestart: string | undefined;
}

/** The state of the init containers. `reason` is undefined when all of them have finished. */
interface InitSummary extends Restarts {
  reason: string | undefined;
  sidecarsReady: number;
  sidecars: Restarts;
}

function summarizePod(pod: Pod): PodSummary {
  const { spec, status } = pod;
  const sidecars = new Set(
    (spec?.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === "Always")
      .map(({ name }) => name),
  );
  const gated = status?.conditions?.some(({ type, reason }) => {
    return type === "PodScheduled" && reason === "SchedulingGated";
  });
  const own = gated ? "SchedulingGated" : status?.reason || (status?.phase ?? "");
  const init = summarizeInit(pod, sidecars);
  const result = {
    total: (spec?.containers ?? []).length + sidecars.size,
    ready: init.sidecarsReady,
    restarts: init.restarts,
    lastRestart: init.lastRestart,
    reason: init.reason ?? own,
  };
  // A Pod that was initialized once shows its main containers, even while an init container runs again.
  if (init.reason === undefined || isTrue(status?.conditions, "Initialized")) {
    const main = summarizeMain(status?.containerStatuses ?? [], result.reason, status?.conditions);
    result.reason = main.reason;
    result.ready += main.ready;
    result.restarts = init.sidecars.restarts + main.restarts;
    result.lastRestart = later(init.sidecars.lastRestart, main.lastRestart);
  }
  return { ...result, reason: deletionReason(pod) ?? result.reason };
}

function summarizeInit({ spec, status }: Pod, sidecars: Set<string>): InitSummary {
  const statuses = status?.initContainerStatuses ?? [];
  const seen: ContainerStatus[] = [];
  let reason: string | undefined;
  let sidecarsReady = 0;
  for (const [index, container] of statuses.entries()) {
    seen.push(container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) continue;
    if (sidecars.has(container.name) && container.started === true) {
      if (container.ready === true) sidecarsReady += 1;
      continue;
    }
    if (terminated !== undefined) reason = `Init:${terminationReason(terminated)}`;
    else if (waiting?.reason && waiting.reason !== "PodInitializing") reason = `Init:${waiting.reason}`;
    else reason = `Init:${index}/${spec?.initContainers?.length ?? 0}`;
    break;
  }
  const sidecarRestarts = countRestarts(seen.filter(({ name }) => sidecars.has(name)));
  return { reason, sidecarsReady, sidecars: sidecarRestarts, ...countRestarts(seen) };
}

function summarizeMain(
  statuses: ContainerStatus[],
  initial: string,
  conditions: Condition[] | undefined,
): Restarts & { reason: string; ready: number } {
  let reason = initial;
  let failure: string | undefined;
  let running = false;
  let ready = 0;
  // From the last to the first, so that the reason of the first container wins.
  for (const container of [...statuses].reverse()) {
    const { waiting, terminated } = container.state ?? {};
    if (waiting?.reason) {
      reason = waiting.reason;
    } else if (terminated !== undefined) {
      reason = terminationReason(terminated);
      if ((terminated.exitCode ?? 0) !== 0) failure = reason;
    } else if (container.ready === true && container.state?.running !== undefined) {
      running = true;
      ready += 1;
    }
  }
  // `Completed` does not describe a Pod in which other containers run or have failed.
  if (reason === "Completed") {
    if (running && isTrue(conditions, "Ready")) reason = "Running";
    else if (failure !== undefined) reason = failure;
    else if (running) reason = "NotReady";
  }
  return { reason, ready, ...countRestarts(statuses) };
}

function terminationReason({ reason, signal = 0, exitCode = 0 }: Terminated): string {
  if (reason) return reason;
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function deletionReason({ metadata, status }: Pod): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  if (status?.reason === "NodeLost") return "Unknown";
  const ended = status?.phase === "Succeeded" || status?.phase === "Failed";
  return ended ? undefined : "Terminating";
}

function countRestarts(statuses: ContainerStatus[]): Restarts {
  let restarts = 0;
  let lastRestart: string | undefined;
  for (const { restartCount = 0, lastState } of statuses) {
    restarts += restartCount;
    lastRestart = later(lastRestart, lastState?.terminated?.finishedAt);
  }
  return { restarts, lastRestart };
}

function later(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Date.parse(a) < Date.parse(b) ? b : a;
}

function isTrue(conditions: Condition[] | undefined, type: string): boolean {
  return conditions?.find((condition) => condition.type === type)?.status === "True";
}
