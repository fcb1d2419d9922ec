import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { strings } from "./strings.ts";
import "./split.css";

export interface SplitProps {
  /** Under which the browser remembers the place of the border. Each name has its own place. */
  readonly name: string;
  readonly direction: "row" | "column";
  /**
   * Share of the first pane, from 0 to 1. "fit": until the border is moved, the second pane is as large as its content,
   * and half at most.
   */
  readonly initial: number | "fit";
  /** The least size of each pane, in pixels. Panes share less than both evenly. */
  readonly least: readonly [number, number];
  /** Which pane is resized, for screen readers. */
  readonly label: string;
  /** Whether the second pane is as large as its content, and the border cannot be moved. Default false. */
  readonly isFixed?: boolean;
  readonly children: readonly [ComponentChildren, ComponentChildren];
}

const keyStep = 0.02;

/** Two panes with a border that can be moved with the pointer and with arrow keys. A double click moves it back. */
export function Split({ name, direction, initial, least, label, isFixed = false, children }: SplitProps) {
  const key = `split:${name}`;
  const [moves, setMoves] = useState<Readonly<Record<string, number | undefined>>>({});
  const moved = key in moves ? moves[key] : Number(localStorage.getItem(key)) || undefined;
  const setMoved = (next: number | undefined): void => setMoves((before) => ({ ...before, [key]: next }));
  /** The share that the browser gives to the first pane: at least its content's, and no less than the least. */
  const [shown, setShown] = useState(0.5);
  /** The same, for a key that is faster than a frame. */
  const place = useRef(shown);
  const box = useRef<HTMLDivElement>(null);
  const isRow = direction === "row";
  const share = moved ?? initial;

  useLayoutEffect(() => {
    const [whole, first] = [box.current, box.current?.firstElementChild];
    if (!whole || !first) return;
    const measure = () => {
      const [part, all] = [first, whole].map(
        (one) => one.getBoundingClientRect()[isRow ? "width" : "height"],
      );
      if (!part || !all) return;
      place.current = part / all;
      setShown(place.current);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(whole);
    observer.observe(first);
    return () => observer.disconnect();
  }, [isRow]);

  const move = (wanted: number): void => {
    const size = (isRow ? box.current?.clientWidth : box.current?.clientHeight) || 1;
    const [first, second] = [least[0] / size, 1 - least[1] / size];
    const next = Math.min(Math.max(wanted, first), Math.max(first, second));
    place.current = next;
    setMoved(next);
    localStorage.setItem(key, String(next));
  };
  const drag = (event: PointerEvent): void => {
    const handle = event.currentTarget as HTMLElement;
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = ({ clientX, clientY }) => {
      const area = box.current?.getBoundingClientRect();
      if (area) move(isRow ? (clientX - area.left) / area.width : (clientY - area.top) / area.height);
    };
    handle.onpointerup = () => {
      handle.onpointermove = null;
    };
  };
  const onKey = (event: KeyboardEvent): void => {
    const less = isRow ? "ArrowLeft" : "ArrowUp";
    const more = isRow ? "ArrowRight" : "ArrowDown";
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    move(place.current + (event.key === more ? keyStep : -keyStep));
  };
  const reset = (): void => {
    setMoved(undefined);
    localStorage.removeItem(key);
  };
  return (
    <div
      ref={box}
      class={`split split-${direction}`}
      style={{ "--split": tracksOf(isFixed ? "fit" : share, least) }}
    >
      {children[0]}
      {isFixed ? (
        <div class="split-line" />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: an hr cannot be focused and moved
        <div
          role="separator"
          tabIndex={0}
          aria-label={strings.resize(label)}
          aria-orientation={isRow ? "vertical" : "horizontal"}
          aria-valuenow={Math.round(shown * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          class="split-handle"
          onPointerDown={drag}
          onKeyDown={onKey}
          onDblClick={reset}
        />
      )}
      {children[1]}
    </div>
  );
}

/** Returns the sizes of the first pane, the border and the second pane as tracks of a grid. */
function tracksOf(share: number | "fit", [first, second]: readonly [number, number]): string {
  if (share === "fit")
    return `minmax(min(${first}px, 49%), 1fr) 1px fit-content(min(50%, calc(100% - ${first + 1}px)))`;
  // Shares below 1fr would leave space free beside a pane of the least size.
  const [a, b] = [Math.round(1000 * share), Math.round(1000 * (1 - share))];
  return `minmax(min(${first}px, 49%), ${a}fr) 1px minmax(min(${second}px, 49%), ${b}fr)`;
}
