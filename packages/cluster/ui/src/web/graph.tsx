import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ObjectView } from "../cluster/wire.ts";
import { breakName } from "./break-name.ts";
import { type Layout, layOut, nodeSize, type Placed } from "./layout.ts";
import { StatusMark } from "./status-mark.tsx";
import { strings } from "./strings.ts";

export interface GraphProps {
  readonly objects: readonly ObjectView[];
  readonly selected: string | undefined;
  readonly empty: string;
  /** Whether a change of an object is highlighted for a moment. */
  readonly isLive: boolean;
  onSelect(uid: string | undefined): void;
}

/** Pixels of a node beside its name: border, padding and mark. */
const besideName = 42;

/** Pixels above and below the view in which objects are drawn, so that scrolling shows no gap. */
const overscan = 400;

/** Objects as a graph along owner references. Only those near the view are in the document. */
export function Graph({ objects, selected, empty, isLive, onSelect }: GraphProps): JSX.Element {
  const view = useRef<HTMLDivElement>(null);
  const { width, height, top } = useViewport(view);
  const layout = useMemo(() => layOut(objects, width), [objects, width]);
  const isBusy = useBusy(layout);
  const near = ({ y }: { readonly y: number }) =>
    y + nodeSize.height > top - overscan && y < top + height + overscan;
  const focused = layout.nodes.find(({ view: { uid } }) => uid === selected) ?? layout.nodes[0];
  const edges = layout.edges.filter(
    (edge) => edge.bottom > top - overscan && edge.top < top + height + overscan,
  );

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") onSelect(undefined);
    const target = (event.target as HTMLElement).dataset.uid;
    const find = (uid: string | undefined) => layout.nodes.find((node) => node.view.uid === uid);
    // The selection first: the focus follows it a frame later, and a key may be faster.
    const from = find(selected) ?? find(target);
    const to = from && neighbour(layout, from, event.key);
    if (!to) return;
    event.preventDefault();
    onSelect(to.view.uid);
    reveal(view.current, to);
    // The object may enter the document only after the scroll.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const { activeElement } = document;
        // The reader may have gone elsewhere meanwhile.
        if (activeElement !== document.body && !view.current?.contains(activeElement)) return;
        view.current?.querySelector<HTMLElement>(`[data-uid="${to.view.uid}"]`)?.focus();
      }),
    );
  }

  return (
    <div class={isBusy ? "graph is-busy" : "graph"} ref={view} tabIndex={-1}>
      {layout.nodes.length === 0 ? (
        <p class="graph-empty">{empty}</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: the objects are not list items of one element each.
        <div
          class="graph-world"
          role="group"
          aria-label={strings.graph}
          style={{ height: `${layout.height}px`, "--node-width": `${layout.nodeWidth}px` }}
          onKeyDown={onKeyDown}
        >
          <svg class="graph-edges" width="100%" height={layout.height} aria-hidden="true">
            {edges.map(({ uid, path }) => (
              <path key={uid} d={path} class={uid === selected ? "edge edge-selected" : "edge"} />
            ))}
          </svg>
          {layout.sections.map(({ namespace, count, y }) => (
            <h2
              key={`section ${namespace}`}
              class="graph-heading"
              style={{ transform: `translateY(${y}px)` }}
            >
              {namespace || strings.clusterScoped} <span>{strings.objects(count)}</span>
            </h2>
          ))}
          {layout.nodes.filter(near).map((node) => (
            <Node
              key={node.view.uid}
              node={node}
              isSelected={node.view.uid === selected}
              isTabStop={node === focused}
              nameWidth={layout.nodeWidth - besideName}
              isLive={isLive}
              onSelect={onSelect}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** Milliseconds. Moves that follow one another faster would never arrive. */
const calm = 400;

/** Returns whether objects move so often that they jump: gliding would draw each frame anew, and show less. */
function useBusy(layout: Layout): boolean {
  const last = useRef({ layout, at: Number.NEGATIVE_INFINITY, isBusy: false });
  const { current } = last;
  if (current.layout === layout) return current.isBusy;
  const at = performance.now();
  last.current = moves(current.layout, layout)
    ? { layout, at, isBusy: at - current.at < calm }
    : { ...current, layout };
  return last.current.isBusy;
}

function moves({ nodes: before }: Layout, { nodes: after }: Layout): boolean {
  return (
    before.length !== after.length ||
    after.some((node, index) => node.x !== before[index]?.x || node.y !== before[index]?.y)
  );
}

interface NodeProps {
  readonly node: Placed;
  readonly isSelected: boolean;
  readonly isTabStop: boolean;
  /** Pixels that a line of the name may take. */
  readonly nameWidth: number;
  readonly isLive: boolean;
  onSelect(uid: string): void;
}

function Node({ node: { view, x, y }, ...props }: NodeProps): JSX.Element {
  const { isSelected, isTabStop, nameWidth, isLive, onSelect } = props;
  const element = useRef<HTMLButtonElement>(null);
  const known = useRef(view.resourceVersion);
  useEffect(() => {
    if (known.current === view.resourceVersion) return;
    known.current = view.resourceVersion;
    if (isLive) flash(element.current);
  }, [view.resourceVersion]);
  const { kind, name, status } = view;
  const facts = [status.word, status.detail].filter(Boolean).join(" · ");
  const short = facts.replace(/(\d) ready/, "$1");
  return (
    <button
      type="button"
      ref={element}
      class={`node node-${status.tone}${isSelected ? " node-selected" : ""}`}
      style={{ transform: `translate(${x}px, ${y}px)` }}
      data-uid={view.uid}
      tabIndex={isTabStop ? 0 : -1}
      aria-pressed={isSelected}
      title={`${kind} ${name}${facts ? `\n${facts}` : ""}`}
      onClick={() => onSelect(view.uid)}
    >
      <StatusMark tone={status.tone} />
      <span class="node-text">
        <NodeName name={name} width={nameWidth} />
        <span class="node-facts">
          <span class="node-kind">{strings.shortKinds[kind] ?? kind}</span>
          {facts && <span class={`node-status text-${status.tone}`}>{short}</span>}
        </span>
      </span>
    </button>
  );
}

/** A name on one line or two. The document has it whole, for screen readers. */
function NodeName({ name, width }: { readonly name: string; readonly width: number }): JSX.Element {
  const { head, cut, tail } = breakName(name, width);
  return (
    <span class="node-name">
      {head}
      {cut && <span class="node-cut">{cut}</span>}
      <wbr />
      <span class="node-tail">{tail}</span>
    </span>
  );
}

function flash(element: HTMLElement | null): void {
  if (!element || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  element.animate([{ boxShadow: "0 0 0 3px var(--accent-soft)" }, { boxShadow: "0 0 0 3px transparent" }], {
    duration: 900,
    easing: "ease-out",
  });
}

/** Returns the object that an arrow key leads to. */
function neighbour({ nodes }: Layout, from: Placed, key: string): Placed | undefined {
  const index = nodes.indexOf(from);
  if (key === "Home") return nodes[0];
  if (key === "End") return nodes.at(-1);
  if (key === "ArrowDown") return nearest((node) => node.y > from.y && node.x === from.x) ?? nodes[index + 1];
  if (key === "ArrowUp") return nearest((node) => node.y < from.y && node.x === from.x) ?? nodes[index - 1];
  if (key === "ArrowRight") return nearest((node) => node.x > from.x);
  if (key === "ArrowLeft") return nearest((node) => node.x < from.x);
  return undefined;

  function nearest(accepts: (node: Placed) => boolean): Placed | undefined {
    const distance = (node: Placed) => Math.abs(node.x - from.x) + 3 * Math.abs(node.y - from.y);
    let best: Placed | undefined;
    for (const node of nodes) if (accepts(node) && (!best || distance(node) < distance(best))) best = node;
    return best;
  }
}

function reveal(view: HTMLElement | null, { y }: Placed): void {
  if (!view) return;
  const space = 2 * nodeSize.height;
  if (y < view.scrollTop + space) view.scrollTop = y - space;
  else if (y > view.scrollTop + view.clientHeight - 2 * space)
    view.scrollTop = y - view.clientHeight + 2 * space;
}

/** Follows the size and the scroll position of an element. */
function useViewport(element: { readonly current: HTMLElement | null }) {
  const [viewport, setViewport] = useState({ width: 1000, height: 800, top: 0 });
  useLayoutEffect(() => {
    const found = element.current;
    if (!found) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height, scrollTop } = found;
      // Hidden: the layout and the scroll position stay for when it is shown again.
      if (width === 0) return;
      // A step, so that scrolling draws only now and then.
      const top = Math.floor(scrollTop / 100) * 100;
      setViewport((known) =>
        known.width === width && known.height === height && known.top === top
          ? known
          : { width, height, top },
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(found);
    found.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      found.removeEventListener("scroll", measure);
    };
  }, []);
  return viewport;
}
