import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { strings } from "./strings.ts";

export interface SplitProps {
  /** Under which the browser remembers the place of the border. */
  readonly name: string;
  readonly direction: "row" | "column";
  /** Share of the first pane, from 0 to 1. */
  readonly initial: number;
  /** The least size of each pane, in pixels. */
  readonly least: readonly [number, number];
  /** What the first pane is, for screen readers. */
  readonly label: string;
  readonly children: readonly [ComponentChildren, ComponentChildren];
}

const keyStep = 0.02;

/** Two panes with a border that can be moved with the pointer and with arrow keys. */
export function Split({ name, direction, initial, least, label, children }: SplitProps) {
  const key = `split:${name}`;
  const [share, setShare] = useState(() => Number(localStorage.getItem(key)) || initial);
  const box = useRef<HTMLDivElement>(null);
  const isRow = direction === "row";
  const move = (wanted: number): void => {
    const size = (isRow ? box.current?.clientWidth : box.current?.clientHeight) ?? 1;
    const [first, second] = [least[0] / size, 1 - least[1] / size];
    const next = Math.min(Math.max(wanted, first), Math.max(first, second));
    setShare(next);
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
    move(share + (event.key === more ? keyStep : -keyStep));
  };
  const size = `minmax(0, ${share}fr) 1px minmax(0, ${1 - share}fr)`;
  return (
    <div
      ref={box}
      class={`split split-${direction}`}
      style={isRow ? { gridTemplateColumns: size } : { gridTemplateRows: size }}
    >
      {children[0]}
      {/* biome-ignore lint/a11y/useSemanticElements: an hr cannot be focused and moved */}
      <div
        role="separator"
        tabIndex={0}
        aria-label={strings.resize(label)}
        aria-orientation={isRow ? "vertical" : "horizontal"}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        class="split-handle"
        onPointerDown={drag}
        onKeyDown={onKey}
        onDblClick={() => move(initial)}
      />
      {children[1]}
    </div>
  );
}
