import { createColors } from "picocolors";
import type { NodeView, PodView, Snapshot } from "./snapshot.ts";

export interface Canvas {
  /** Columns of the terminal. */
  readonly width: number;
  readonly color: boolean;
}

const minimum = 44;
type Colors = ReturnType<typeof createColors>;

/**
 * The cluster as a picture: a box a node, its Pods inside by namespace; what has no node yet stands below. Lines are
 * never wider than the canvas, down to 44 columns.
 */
export function draw(snapshot: Snapshot, canvas: Canvas): string {
  const colors = createColors(canvas.color);
  const side = canvas.width >= 2 * minimum + 1 && snapshot.nodes.length > 1 ? 2 : 1;
  const width = Math.max(minimum, Math.floor((Math.min(canvas.width, 120) - (side - 1)) / side));
  const boxes = snapshot.nodes.map((node) => box(node, width, colors));
  const rows: string[] = [];
  for (let index = 0; index < boxes.length; index += side)
    rows.push(...beside(boxes.slice(index, index + side)));
  if (snapshot.homeless.length > 0) {
    rows.push("on no node:", ...byNamespace(snapshot.homeless, width, colors).map(({ text }) => text));
  }
  const empty = snapshot.namespaces.filter((name) => !inhabited(snapshot).has(name));
  if (empty.length > 0) rows.push(colors.dim(`no Pods in: ${empty.join(", ")}`));
  return rows.join("\n");
}

/** A line and the columns it takes: colours are bytes, not columns. */
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

function inhabited(snapshot: Snapshot): Set<string> {
  const all = [...snapshot.nodes.flatMap(({ pods }) => pods), ...snapshot.homeless];
  return new Set(all.map(({ namespace }) => namespace));
}

function cut(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}
