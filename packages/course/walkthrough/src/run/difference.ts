import { type Client, createClient, events, type Pod, pods } from "@operator-path/client";
import type { Page, Step } from "../page/page.ts";
import type { Difference } from "../report/report.ts";
import type { PageFailure } from "./failure.ts";
import type { Run } from "./prepare-run.ts";

/** Returns the state of the cluster and of the running terminals, for a difference. */
export async function contextOf(run: Run): Promise<Difference["context"]> {
  const context: { title: string; lines: string[] }[] = [];
  if (run.cluster) {
    const client = createClient(run.cluster.kubeConfig, { onWarning: () => {} });
    context.push(...(await diagnoseCluster(client, run.cluster.namespace)));
    await client.close();
  }
  for (const { terminal, command } of run.terminals.values()) {
    if (terminal.running() === undefined) continue;
    const lines = terminal
      .lines()
      .filter((line) => line.trim() !== "")
      .slice(-10);
    context.push({ title: `terminal ${terminal.name || "main"}, which runs \`${command}\``, lines });
  }
  return context;
}

/** Converts the first failure to a Difference and adds the others to its context. */
export function toDifference(
  page: Page,
  step: Step | undefined,
  [failure, ...others]: readonly PageFailure[],
  context: Difference["context"],
): Difference {
  const { line = 1, message = "", diff = [], command } = failure ?? {};
  const difference = {
    page: page.path,
    line,
    step: step?.slug ?? "",
    message,
    diff,
    context,
    ...(command !== undefined && { command }),
  };
  return step === undefined ? difference : alsoFailed(difference, page, step, others);
}

/** Adds later failures to the context of a difference. They may explain why Clean up left objects. */
export function alsoFailed(
  difference: Difference,
  page: Page,
  step: Step,
  failures: readonly PageFailure[],
): Difference {
  if (failures.length === 0) return difference;
  const lines = failures.map(({ line, message, command }) => {
    const what = command === undefined ? "" : `  \`${command.split("\n")[0]}\``;
    return `${page.path}:${line}  ${message}${what}`;
  });
  const context = [...difference.context, { title: `step ${step.slug} failed too`, lines }];
  return { ...difference, context };
}

type Context = { title: string; lines: string[] };

/**
 * Describes the state of the cluster: missing images, Pods that are not ready, latest Events. Never throws,
 * because that would hide the difference.
 *
 * @param namespace the namespace to look at. Default: all
 */
export async function diagnoseCluster(client: Client, namespace?: string): Promise<Context[]> {
  try {
    const signal = AbortSignal.timeout(3000);
    const [allPods, allEvents] = [client.resource(pods), client.resource(events)];
    const [podList, eventList] = await Promise.all([
      (namespace === undefined ? allPods : allPods.namespace(namespace)).list({ signal }),
      (namespace === undefined ? allEvents : allEvents.namespace(namespace)).list({ signal }),
    ]);
    const notReady = podList.items
      .filter(
        (pod) =>
          !pod.status?.conditions?.some(
            (condition) => condition.type === "Ready" && condition.status === "True",
          ),
      )
      .map((pod) => {
        const waiting = pod.status?.containerStatuses?.find((status) => status.state?.waiting)?.state
          ?.waiting;
        const why = waiting
          ? `${waiting.reason ?? ""} ${waiting.message ?? ""}`.trim()
          : (pod.status?.phase ?? "");
        return `${pod.metadata?.namespace}/${pod.metadata?.name}  ${pod.metadata?.deletionTimestamp ? "Terminating" : why}`;
      });
    const recent = eventList.items
      .map((event) => ({
        event,
        at: String(event.lastTimestamp ?? event.eventTime ?? event.metadata?.creationTimestamp ?? ""),
      }))
      .sort((a, b) => (a.at < b.at ? -1 : 1))
      .slice(-8)
      .map(({ event, at }) => {
        const about = `${event.involvedObject?.kind?.toLowerCase()}/${event.involvedObject?.name}`;
        return `${at.slice(11, 19)}  ${event.type}  ${event.reason}  ${about}  ${event.message ?? ""}`;
      });
    return [
      { title: "images that the nodes cannot pull", lines: podList.items.flatMap(missingImages) },
      { title: "Pods that are not ready", lines: notReady },
      { title: "latest Events", lines: recent },
    ].filter((context) => context.lines.length > 0);
  } catch (error) {
    return [{ title: "the cluster", lines: [`does not answer: ${(error as Error).message}`] }];
  }
}

/** Includes ephemeral containers, whose Pod stays ready: `default/web-1  nginx:1.27  ImagePullBackOff`. */
function missingImages({ metadata, status }: Pod): string[] {
  const containers = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  return containers.flatMap(({ image, state }) => {
    const reason = state?.waiting?.reason ?? "";
    return /Image/.test(reason) ? [`${metadata?.namespace}/${metadata?.name}  ${image}  ${reason}`] : [];
  });
}
