import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TimelineEntry } from "../cluster/wire.ts";
import { timeOf } from "./format.ts";
import { useRemembered } from "./remembered.ts";
import { StatusMark } from "./status-mark.tsx";
import { strings } from "./strings.ts";
import { onThemeChange } from "./theme.ts";
import { ticksOf } from "./time-axis.ts";
import {
  drawLanes,
  isOfOperator,
  type LaneColors,
  laneHeight,
  lanesOf,
  readColors,
} from "./timeline-lanes.ts";
import { useSlowly } from "./use-slowly.ts";

export interface TimelineProps {
  readonly entries: readonly TimelineEntry[];
  /** The moment that is shown; undefined: live. */
  readonly cursor: number | undefined;
  /** Milliseconds to add to this browser's clock to get the server's. */
  readonly clockOffset: number;
  /** The object whose entries stand out. */
  readonly selected: string | undefined;
  /** Whether the server is gone. Time then stands still. */
  readonly isLost: boolean;
  /** Whether only the bar is shown. */
  readonly isFolded: boolean;
  /** Whether the view is a pane of a page with terminals. */
  readonly isPane: boolean;
  onFold(isFolded: boolean): void;
  onCursor(time: number | undefined): void;
}

/** Seconds. */
const spans = ["30", "120", "600"] as const;
/** Milliseconds between two moves of the live time line, and between two sets of entries. */
const tick = 100;
/** Lanes that are shown, unless the pane has room for more. */
const fewLanes = 6;
/** Pixels around the lanes. */
const lanePadding = 8;

/** What happened when: a lane for changes, Events, reconciles and each writer, and a cursor through time. */
export function Timeline(props: TimelineProps): JSX.Element {
  const { cursor, clockOffset, selected, isLost, isFolded, onCursor } = props;
  const entries = useSlowly(props.entries, tick);
  const [chosen, setSpan] = useRemembered("timeline", spans, "120");
  const span = Number(chosen);
  const [end, setEnd] = useState(() => Date.now() + clockOffset);
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(canvas, box, isFolded);
  const isLive = cursor === undefined;
  const from = end - span * 1000;
  const last = entries.at(-1);
  // One row is the axis.
  const most = Math.max(fewLanes, Math.floor(height / laneHeight) - 1);
  const lanes = useMemo(() => lanesOf(entries, most), [entries, most]);
  const reconciles = lanes.findIndex(({ id }) => id === "reconcile");
  const ticks = ticksOf(from, end, width);

  // Each message measures the offset anew. A timer that began again with each would never end in a busy cluster.
  const offset = useRef(clockOffset);
  offset.current = clockOffset;
  useEffect(() => {
    if (!isLive || isLost) return;
    const timer = setInterval(() => setEnd(Date.now() + offset.current), tick);
    return () => clearInterval(timer);
  }, [isLive, isLost]);
  const colors = useRef<LaneColors | undefined>(undefined);
  const [drawings, drawAgain] = useState(0);
  useEffect(
    () =>
      onThemeChange(() => {
        colors.current = undefined;
        drawAgain((count) => count + 1);
      }),
    [],
  );
  useEffect(() => {
    if (!canvas.current) return;
    colors.current ??= readColors(canvas.current);
    drawLanes(canvas.current, {
      ...{ entries, lanes, from, to: end, selected, colors: colors.current },
      ticks: ticks.map(({ at }) => at),
    });
    // The graph is drawn in each frame in which something changes. The lanes cost more, and show less of it.
  }, [entries, lanes, from, end, selected, width, isFolded, drawings]);

  const atCursor = entries.findLast(({ at, heartbeat }) => (isLive ? !heartbeat : at <= cursor));

  function onKeyDown(event: KeyboardEvent): void {
    const at = cursor ?? Number.POSITIVE_INFINITY;
    if (event.key === "ArrowLeft" || event.key === "ArrowDown")
      move(entries.findLast((entry) => entry.at < at)?.at);
    else if (event.key === "ArrowRight" || event.key === "ArrowUp")
      move(entries.find((entry) => entry.at > at)?.at);
    else if (event.key === "Home") move(entries[0]?.at);
    else if (event.key === "End" || event.key === "Escape") onCursor(undefined);
    else return;
    event.preventDefault();
  }

  function move(at: number | undefined): void {
    if (at === undefined) {
      if (cursor !== undefined && last && cursor >= last.at) onCursor(undefined);
      return;
    }
    onCursor(at);
    // The window follows a cursor that leaves it.
    if (at < from) setEnd(at + span * 500);
    if (at > end) setEnd(at + span * 100);
  }

  return (
    <section class="timeline" aria-label={strings.timeline}>
      <div class="timeline-bar">
        <LiveButton {...{ isLive, isLost }} onClick={() => onCursor(undefined)} />
        {!isLive && <strong class="as-of">{strings.asOf(timeOf(cursor, true))}</strong>}
        <p class="timeline-current">
          {isLost ? (
            <span class="muted">{strings.lostAdvice}</span>
          ) : (
            atCursor && (
              <>
                {atCursor.at !== cursor && <time>{timeOf(atCursor.at, true)}</time>} {atCursor.kind}{" "}
                {atCursor.name} {strings.types[atCursor.type]} {strings.repeated(atCursor.count)}{" "}
                {strings.byManager(atCursor.by)} <span class="muted">{atCursor.text}</span>
              </>
            )
          )}
        </p>
        <fieldset class="segments" aria-label={strings.span}>
          {spans.map((seconds) => (
            <button
              type="button"
              key={seconds}
              aria-pressed={seconds === chosen}
              onClick={() => setSpan(seconds)}
            >
              {strings.spans[seconds]}
            </button>
          ))}
        </fieldset>
        <button
          type="button"
          class="icon-button timeline-fold"
          aria-expanded={!isFolded}
          aria-label={strings.lanesOf}
          title={isFolded ? strings.unfoldTimeline : strings.foldTimeline}
          onClick={() => props.onFold(!isFolded)}
        >
          <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path
              d={isFolded ? "M3 9l4-4 4 4" : "M3 5l4 4 4-4"}
              fill="none"
              stroke="currentColor"
              stroke-width="1.5"
            />
          </svg>
        </button>
      </div>
      {!isFolded && (
        <div class="lanes" ref={box} style={{ "--lanes": lanes.length }}>
          <div class="lane-rows">
            <div class="lane-names" aria-hidden="true">
              {lanes.map(({ id, name }) => (
                <span key={id} title={name}>
                  {name}
                </span>
              ))}
            </div>
            <div class="lane-column">
              <div class="time-axis" aria-hidden="true">
                {ticks.map(({ at, label, x }) => (
                  <span key={at} style={{ transform: `translateX(${x.toFixed(1)}px)` }}>
                    {label}
                  </span>
                ))}
              </div>
              <div class="lane-area">
                <canvas ref={canvas} />
                {reconciles >= 0 && !hasReconcile(entries, from, end) && (
                  <span class="lane-empty" style={{ top: `${reconciles * laneHeight}px` }}>
                    {strings.noReconciles.inRange}
                  </span>
                )}
                <input
                  type="range"
                  class="scrubber"
                  aria-label={strings.time}
                  aria-valuetext={isLive ? strings.live : strings.asOf(timeOf(cursor, true))}
                  min={from}
                  max={end}
                  step={1}
                  value={cursor ?? end}
                  onInput={({ currentTarget }) => {
                    const value = Number(currentTarget.value);
                    onCursor(value >= end - span * 5 ? undefined : value);
                  }}
                  onKeyDown={onKeyDown}
                />
                {!isLive && (
                  <div
                    class="cursor"
                    aria-hidden="true"
                    style={{ left: `${(100 * (cursor - from)) / (span * 1000)}%` }}
                  />
                )}
              </div>
            </div>
          </div>
          {reconciles < 0 && <NoReconciles isPane={props.isPane} />}
        </div>
      )}
    </section>
  );
}

function LiveButton(props: {
  readonly isLive: boolean;
  readonly isLost: boolean;
  onClick(): void;
}): JSX.Element {
  const { isLive, isLost } = props;
  if (isLive && isLost)
    return (
      <button
        type="button"
        class="live-button is-lost"
        aria-pressed={true}
        title={strings.lostAdvice}
        onClick={props.onClick}
      >
        <StatusMark tone="bad" />
        {strings.disconnected}
      </button>
    );
  const text = isLive ? strings.live : strings.backToLive;
  return (
    <button
      type="button"
      class={`live-button${isLive ? " is-live" : ""}`}
      aria-pressed={isLive}
      title={text}
      onClick={props.onClick}
    >
      <span class="live-dot" aria-hidden="true" />
      {text}
    </button>
  );
}

/** Why there are no reconciles, and what to do. */
function NoReconciles({ isPane }: { readonly isPane: boolean }): JSX.Element {
  const { text, inPane, alone, command } = strings.noReconciles;
  return (
    <p class="lane-note">
      <strong>{strings.lanes.reconciles}</strong>
      {text} {isPane ? inPane : alone} {!isPane && <code>{command}</code>}
    </p>
  );
}

function hasReconcile(entries: readonly TimelineEntry[], from: number, to: number): boolean {
  const last = entries.findLast((entry) => isOfOperator(entry) && entry.at <= to);
  return last !== undefined && last.at >= from;
}

/** Follows the width of the canvas, and the height that the pane has for the axis and the lanes. */
function useSize(
  canvas: { readonly current: HTMLElement | null },
  box: { readonly current: HTMLElement | null },
  isFolded: boolean,
) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const [area, lanes] = [canvas.current, box.current];
    if (!area || !lanes) return;
    const measure = () => {
      const note = lanes.querySelector<HTMLElement>(".lane-note")?.offsetHeight ?? 0;
      setSize({ width: area.clientWidth, height: lanes.clientHeight - note - lanePadding });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(area);
    observer.observe(lanes);
    return () => observer.disconnect();
  }, [isFolded]);
  return size;
}
