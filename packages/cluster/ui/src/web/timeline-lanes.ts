import type { TimelineEntry } from "../cluster/wire.ts";
import { strings } from "./strings.ts";

export interface Lane {
  readonly id: string;
  readonly name: string;
  /** Whether the entry belongs in this lane. */
  readonly has: (entry: TimelineEntry) => boolean;
}

/** Reports whether an entry is of an operator that records its reconciles. */
export const isOfOperator = ({ type }: TimelineEntry) => type === "started" || type === "reconcile";
const isFault = ({ type }: TimelineEntry) => type === "fault";
const isChange = ({ type }: TimelineEntry) => type === "added" || type === "updated" || type === "deleted";

/** Writers of every cluster. They write more than any operator does. */
const ofKubernetes = /^(?:kube-.*|kubelet|cloud-controller-manager)$/;

/**
 * Returns the lanes of a time line: one for each type of entry, and the others for writers. Operators and people come
 * before Kubernetes itself, and busy writers before others. Writers for whom there is no room share the last lane.
 *
 * @param most how many lanes there is room for
 */
export function lanesOf(entries: readonly TimelineEntry[], most: number): Lane[] {
  const types = [
    { id: "changes", name: strings.lanes.changes, has: isChange },
    { id: "events", name: strings.lanes.events, has: ({ type }: TimelineEntry) => type === "event" },
    ...[
      { id: "reconcile", name: strings.lanes.reconciles, has: isOfOperator },
      { id: "fault", name: strings.lanes.faults, has: isFault },
    ].filter(({ has }) => entries.some(has)),
  ];
  const writes = new Map<string, number>();
  for (const entry of entries)
    if (isChange(entry) && entry.by) writes.set(entry.by, (writes.get(entry.by) ?? 0) + 1);
  const writers = [...writes]
    .sort((a, b) => Number(ofKubernetes.test(a[0])) - Number(ofKubernetes.test(b[0])) || b[1] - a[1])
    .map(([name]) => name);
  const room = Math.max(1, most - types.length);
  const own = writers.slice(0, writers.length > room ? room - 1 : room).sort();
  const others = writers.slice(own.length);
  const laneOf = (id: string, name: string, by: readonly string[]): Lane => ({
    ...{ id, name },
    has: (entry) => isChange(entry) && by.includes(entry.by),
  });
  return [
    ...types,
    ...own.map((name) => laneOf(`by ${name}`, name, [name])),
    ...(others.length > 0 ? [laneOf("by others", strings.lanes.others(others.length), others)] : []),
  ];
}

export const laneHeight = 18;

export interface Drawing {
  readonly entries: readonly TimelineEntry[];
  readonly lanes: readonly Lane[];
  /** The times at the left and right end. */
  readonly from: number;
  readonly to: number;
  /** Times at which a line goes through all lanes. */
  readonly ticks: readonly number[];
  readonly selected: string | undefined;
  readonly colors: LaneColors;
}

export type LaneColors = Readonly<Record<(typeof colorNames)[number], string>>;

const colorNames = ["accent", "ok", "bad", "muted", "line"] as const;

/** Reads the theme's colours. A canvas does not know `light-dark()`, so the browser resolves them first. */
export function readColors(canvas: HTMLCanvasElement): LaneColors {
  const colors = colorNames.map((name) => {
    canvas.style.color = `var(--${name})`;
    return [name, getComputedStyle(canvas).color];
  });
  return Object.fromEntries(colors) as LaneColors;
}

/** Draws the lanes. A canvas, because thousands of elements would be slow. The feed has the same as text. */
export function drawLanes(
  canvas: HTMLCanvasElement,
  { entries, lanes, from, to, ticks, selected, colors }: Drawing,
): void {
  const { clientWidth: width } = canvas;
  const height = lanes.length * laneHeight;
  const ratio = devicePixelRatio;
  if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
    canvas.width = width * ratio;
    canvas.height = height * ratio;
  }
  const context = canvas.getContext("2d");
  if (!context) return;
  const { accent, ok, bad, muted, line } = colors;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.fillStyle = line;
  for (let lane = 1; lane < lanes.length; lane++) context.fillRect(0, lane * laneHeight - 0.5, width, 0.5);
  const scale = width / (to - from);
  for (const at of ticks) context.fillRect((at - from) * scale - 0.25, 0, 0.5, height);
  for (let index = firstAfter(entries, from); index < entries.length; index++) {
    const entry = entries[index];
    if (!entry || entry.at > to) break;
    const x = (entry.at - from) * scale;
    const fill =
      entry.warning || entry.type === "deleted"
        ? bad
        : entry.type === "added" || entry.type === "started" || entry.type === "fault"
          ? ok
          : entry.type === "event"
            ? muted
            : accent;
    context.fillStyle = fill;
    context.globalAlpha = selected === undefined || entry.uid === selected ? 1 : 0.25;
    for (const [row, lane] of lanes.entries())
      if (lane.has(entry)) drawEntry(context, entry, x, row * laneHeight, scale);
  }
  context.globalAlpha = 1;
}

/** A bar as long as a reconcile, a triangle for a warning, a tick of its own height for each type of change. */
function drawEntry(
  context: CanvasRenderingContext2D,
  { type, warning, reconcile }: TimelineEntry,
  x: number,
  y: number,
  scale: number,
): void {
  if (type === "reconcile") {
    // The entry is made when the reconcile ends.
    const width = Math.max(3, (reconcile?.duration ?? 0) * scale);
    context.fillRect(x - width, y + 5, width, laneHeight - 10);
  } else if (warning) {
    context.beginPath();
    context.moveTo(x, y + 4);
    context.lineTo(x + 5, y + 14);
    context.lineTo(x - 5, y + 14);
    context.fill();
  } else if (type === "event" || type === "fault") context.fillRect(x - 2, y + laneHeight / 2 - 2, 4, 4);
  else if (type === "updated") context.fillRect(x - 1, y + 5, 2, laneHeight - 10);
  else context.fillRect(x - 1, y + 3, 2, laneHeight - 6);
}

function firstAfter(entries: readonly TimelineEntry[], time: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.at ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
