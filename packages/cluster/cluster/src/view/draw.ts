import {
  type Client,
  createClient,
  KubeConfig,
  namespaces,
  nodes,
  type Pod,
  pods,
} from "@operator-path/client";
import { createColors } from "picocolors";
import type { ClusterRecord } from "../background/record.ts";

export interface Canvas {
  /** Columns of the terminal. */
  readonly width: number;
  readonly color: boolean;
}

const minimum = 44;
type Colors = ReturnType<typeof createColors>;

/**
 * Draws the cluster: one box per node with its Pods by namespace, and unscheduled Pods below. Lines are at
 * most as wide as the canvas, which has at least 44 columns.
 */
export function draw(snapshot: Snapshot, canvas: Canvas): string {
  const colors = createColors(canvas.color);
  const side = canvas.width >= 2 * minimum + 1 && snapshot.nodes.length > 1 ? 2 : 1;
  const width = Math.max(minimum, Math.floor((Math.min(canvas.width, 120) - (side - 1)) / side));
  const boxes = snapshot.nodes.map((node) => box(node, width, colors));
  const rows: string[] = [];
  for (let index = 0; index < boxes.length; index += side)
    rows.push(...beside(boxes.slice(index, index + side)));
  if (snapshot.unscheduled.length > 0) {
    rows.push("on no node:", ...byNamespace(snapshot.unscheduled, width, colors).map(({ text }) => text));
  }
  const empty = snapshot.namespaces.filter((name) => !namespacesWithPods(snapshot).has(name));
  if (empty.length > 0) rows.push(colors.dim(`no Pods in: ${empty.join(", ")}`));
  return rows.join("\n");
}

/** A line and its width in columns, which colour codes do not count towards. */
interface Line {
  readonly text: string;
  readonly columns: number;
}

function box(node: NodeView, width: number, colors: Colors): Line[] {
  const inner = width - 4;
  const state = node.ready ? "Ready" : "NotReady";
  const name = cut(node.name, inner - state.length - 4);
  const rule = "─".repeat(width - name.length - state.length - 8);
  const paint = node.ready ? colors.green : colors.red;
  const lines = byNamespace(node.pods, inner, colors);
  if (lines.length === 0) lines.push({ text: colors.dim("no Pods"), columns: 7 });
  return [
    { text: `╭─ ${colors.bold(name)} ${rule} ${paint(state)} ─╮`, columns: width },
    ...lines.map(({ text, columns }) => ({
      text: `│ ${text}${" ".repeat(inner - columns)} │`,
      columns: width,
    })),
    { text: `╰${"─".repeat(width - 2)}╯`, columns: width },
  ];
}

function byNamespace(pods: readonly PodView[], width: number, colors: Colors): Line[] {
  const groups = [...Map.groupBy(pods, ({ namespace }) => namespace)].sort(([a], [b]) => a.localeCompare(b));
  return groups.flatMap(([namespace, group]) => {
    const title = cut(namespace, width);
    const sorted = group.toSorted((a, b) => a.name.localeCompare(b.name));
    return [
      { text: colors.cyan(title), columns: title.length },
      ...sorted.map((pod) => podLine(pod, width, colors)),
    ];
  });
}

function podLine(pod: PodView, width: number, colors: Colors): Line {
  const [ready, all] = pod.ready;
  const done = pod.status === "Completed" || pod.status === "Succeeded";
  const good = done || (pod.status === "Running" && ready === all);
  const waiting = pod.status === "Running" || pod.status === "Pending" || pod.status === "ContainerCreating";
  const [mark, paint] = good ? ["●", colors.green] : waiting ? ["◐", colors.yellow] : ["○", colors.red];
  const state = cut(`${ready}/${all} ${pod.status}`, Math.floor(width / 2));
  const name = cut(pod.name, width - state.length - 5);
  const gap = " ".repeat(width - name.length - state.length - 4);
  return { text: `  ${paint(mark)} ${name}${gap}${paint(state)}`, columns: width };
}

function beside(boxes: readonly Line[][]): string[] {
  const height = Math.max(...boxes.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    boxes
      .map((lines) => lines[row] ?? { text: " ".repeat(lines[0]?.columns ?? 0), columns: 0 })
      .map(({ text }) => text)
      .join(" ")
      .trimEnd(),
  );
}

function namespacesWithPods(snapshot: Snapshot): Set<string> {
  const all = [...snapshot.nodes.flatMap(({ pods }) => pods), ...snapshot.unscheduled];
  return new Set(all.map(({ namespace }) => namespace));
}

function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

/** The state of a cluster that the picture shows. */
export interface Snapshot {
  readonly nodes: readonly NodeView[];
  /** Pods without a node, or on a deleted one. */
  readonly unscheduled: readonly PodView[];
  readonly namespaces: readonly string[];
}

export interface NodeView {
  readonly name: string;
  readonly ready: boolean;
  readonly pods: readonly PodView[];
}

export interface PodView {
  readonly namespace: string;
  readonly name: string;
  /** An abbreviated STATUS column of kubectl: Running, Pending, ImagePullBackOff, Terminating. */
  readonly status: string;
  /** The number of ready containers, and of all. */
  readonly ready: readonly [number, number];
}

/** Reads the state from the API server. Throws the client's errors. */
export async function takeSnapshot(client: Client, signal?: AbortSignal): Promise<Snapshot> {
  const [nodeList, podList, namespaceList] = await Promise.all([
    client.resource(nodes).list({ signal }),
    client.resource(pods).list({ signal }),
    client.resource(namespaces).list({ signal }),
  ]);
  const onNode = Map.groupBy(podList.items, (pod) => pod.spec?.nodeName ?? "");
  const views = nodeList.items.map((node) => {
    const name = node.metadata?.name ?? "";
    const mine = (onNode.get(name) ?? []).map(viewPod);
    onNode.delete(name);
    const ready = node.status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
    return { name, ready, pods: mine };
  });
  return {
    nodes: views,
    unscheduled: [...onNode.values()].flat().map(viewPod),
    namespaces: namespaceList.items.map(({ metadata }) => metadata?.name ?? ""),
  };
}

function viewPod(pod: Pod): PodView {
  const statuses = pod.status?.containerStatuses ?? [];
  return {
    namespace: pod.metadata?.namespace ?? "",
    name: pod.metadata?.name ?? "",
    status: statusOf(pod),
    ready: [statuses.filter(({ ready }) => ready).length, pod.spec?.containers.length ?? 0],
  };
}

/** kubectl's printer derives it from the containers' reasons in the same way. */
function statusOf(pod: Pod): string {
  if (pod.metadata?.deletionTimestamp !== undefined) return "Terminating";
  const containers = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const reasons = containers.map(({ state }) => state?.waiting?.reason ?? state?.terminated?.reason);
  const telling = reasons.find((reason) => reason !== undefined && reason !== "Completed");
  return telling ?? pod.status?.reason ?? pod.status?.phase ?? "Pending";
}

/** A background cluster that has become ready. */
export type RunningRecord = ClusterRecord & { readonly kubeconfigPath: string };

/** Draws a running cluster below a title line. Throws if it does not answer within 5 s. */
export async function drawRunning(record: RunningRecord, canvas: Canvas, now = Date.now()): Promise<string> {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(record.kubeconfigPath);
  const client = createClient(kubeConfig);
  try {
    const snapshot = await takeSnapshot(client, AbortSignal.timeout(5_000));
    const title = `${record.name}  ${record.url}  up ${age(now - Date.parse(record.since))}  pid ${record.pid}`;
    return `${title}\n${draw(snapshot, canvas)}`;
  } finally {
    await client.close();
  }
}

/** Formats an age roughly as kubectl does: 45s, 12m, 3h, 2d. */
function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
