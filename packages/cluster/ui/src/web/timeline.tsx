import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TimelineEntry } from "../cluster/wire.ts";
import { timeOf } from "./format.ts";
import { strings } from "./strings.ts";
import { drawLanes, type LaneColors, lanesOf, readColors } from "./timeline-lanes.ts";

export interface TimelineProps {
  readonly entries: readonly TimelineEntry[];
  /** The moment that is shown; undefined: live. */
  readonly cursor: number | undefined;
  /** Milliseconds to add to this browser's clock to get the server's. */
  readonly clockOffset: number;
  /** The object whose entries stand out. */
  readonly selected: string | undefined;
  onCursor(time: number | undefined): void;
}

const spans = [30, 120, 600] as const;
/** Milliseconds between two moves of the live time line. */
const tick = 100;

/** What happened when: a lane for changes, Events, reconciles and each writer, and a cursor through time. */
export function Timeline(props: TimelineProps): JSX.Element {
  const { entries, cursor, clockOffset, selected, onCursor } = props;
  const [span, setSpan] = useState<(typeof spans)[number]>(120);
  const [end, setEnd] = useState(() => Date.now() + clockOffset);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isLive = cursor === undefined;
  const from = end - span * 1000;
  const last = entries.at(-1);
  const lanes = useMemo(() => lanesOf(entries), [last?.seq]);

  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => setEnd(Date.now() + clockOffset), tick);
    return () => clearInterval(timer);
  }, [isLive, clockOffset]);
  const colors = useRef<{ theme: string; values: LaneColors } | undefined>(undefined);
  useEffect(() => {
    if (!canvas.current) return;
    const theme = `${document.documentElement.dataset.theme} ${matchMedia("(prefers-color-scheme: dark)").matches}`;
    if (colors.current?.theme !== theme) colors.current = { theme, values: readColors(canvas.current) };
    drawLanes(canvas.current, { entries, lanes, from, to: end, selected, colors: colors.current.values });
  });

  const atCursor = isLive ? last : entries.findLast(({ at }) => at <= cursor);

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
        <button
          type="button"
          class={`live-button${isLive ? " is-live" : ""}`}
          aria-pressed={isLive}
          title={isLive ? strings.live : strings.backToLive}
          onClick={() => onCursor(isLive ? last?.at : undefined)}
        >
          <span class="live-dot" aria-hidden="true" />
          {isLive ? strings.live : strings.backToLive}
        </button>
        {!isLive && <strong class="as-of">{strings.asOf(timeOf(cursor, true))}</strong>}
        <p class="timeline-current">
          {atCursor && (
            <>
              <time>{timeOf(atCursor.at, true)}</time> {atCursor.kind} {atCursor.name}{" "}
              {strings.types[atCursor.type]} {strings.byManager(atCursor.by)}{" "}
              <span class="muted">{atCursor.text}</span>
            </>
          )}
        </p>
        <fieldset class="segments" aria-label={strings.span}>
          {spans.map((seconds) => (
            <button
              type="button"
              key={seconds}
              aria-pressed={seconds === span}
              onClick={() => setSpan(seconds)}
            >
              {strings.spans[seconds]}
            </button>
          ))}
        </fieldset>
      </div>
      <div class="lanes" style={{ "--lanes": lanes.length }}>
        <div class="lane-names" aria-hidden="true">
          {lanes.map(({ id, name }) => (
            <span key={id}>{name}</span>
          ))}
        </div>
        <div class="lane-area">
          <canvas ref={canvas} />
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
    </section>
  );
}
