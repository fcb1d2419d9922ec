import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ClusterName, ObjectView, TimelineEntry } from "../cluster/wire.ts";
import { Detail } from "./detail.tsx";
import { Feed } from "./feed.tsx";
import { Graph } from "./graph.tsx";
import { useRemembered } from "./remembered.ts";
import { Split } from "./split.tsx";
import { strings } from "./strings.ts";
import { Timeline } from "./timeline.tsx";
import { type ClusterState, useCluster } from "./use-cluster.ts";
import { isVisibleEntry, visibleObjects } from "./visible-objects.ts";
import "./theme.css";
import "./cluster-view.css";

export interface ClusterViewProps {
  /** The server's socket. Default: that of `serveCluster`. */
  readonly path?: string;
  /** Whether a larger page says already whose cluster this is. Default: the bar names it, and that it is read-only. */
  readonly isPane?: boolean;
  /** What stands at the end of the bar, such as a switch of the theme. */
  readonly children?: ComponentChildren;
}

/** Pixels that a pane has at least: below, one would see neither a tree nor YAML. */
const least = { side: [300, 288], timeline: [120, 104] } as const;

/** A cluster as a graph, with details of an object and a time line. It needs a server with `serveCluster`. */
export function ClusterView({ path, isPane = false, children }: ClusterViewProps): JSX.Element {
  const state = useCluster(path);
  const { history, clockOffset, connection } = state;
  const [namespace, setNamespace] = useState<string | undefined>(undefined);
  const [search, setSearch] = useState("");
  const [everything, setEverything] = useState(false);
  const [selected, select] = useState<string | undefined>(undefined);
  const [cursor, setCursor] = useState<number | undefined>(undefined);
  const [lanes, setLanes] = useRemembered("lanes", ["shown", "hidden"], "shown");
  const now = cursor === undefined ? history.now : history.at(cursor);
  const filter = { namespace, search, everything };
  // The state is a new object for each change of the history.
  const objects = useMemo(() => visibleObjects(now, filter), [state, cursor, namespace, search, everything]);
  const entries = useMemo(
    () => history.entries.filter((entry) => isVisibleEntry(entry, filter)),
    [state, namespace, everything],
  );
  const before = cursor === undefined ? entries : entries.filter(({ at }) => at <= cursor);
  const shown = selected === undefined ? undefined : (now.get(selected) ?? lastView(selected));

  /** Returns an object that does not exist now as it was last, or as it will be. */
  function lastView(uid: string): ObjectView | undefined {
    const has = (entry: TimelineEntry) => entry.uid === uid && entry.view !== undefined;
    const known = before.findLast(has)?.view ?? history.base().find((view) => view.uid === uid);
    return known ?? entries.find(has)?.view;
  }

  function openEntry({ uid, at }: TimelineEntry): void {
    if (now.has(uid) || lastView(uid)) select(uid);
    if (cursor !== undefined) setCursor(at);
  }

  return (
    <div class={`cluster-view${cursor === undefined ? "" : " is-past"}${shown ? " has-detail" : ""}`}>
      <div class="cluster-grid">
        <Bar
          {...{ isPane, state, namespace, search, everything, children }}
          onNamespace={setNamespace}
          onSearch={setSearch}
          onEverything={setEverything}
        />
        <Split name="details" direction="row" initial={0.68} least={least.side} label={strings.details}>
          <Split
            name="lanes"
            direction="column"
            initial="fit"
            least={least.timeline}
            label={strings.timeline}
            isFixed={lanes === "hidden"}
          >
            <Graph
              objects={objects}
              selected={selected}
              isLive={cursor === undefined}
              empty={!state.synced ? strings.syncing : search ? strings.emptyFilter : strings.empty}
              onSelect={select}
            />
            <Timeline
              {...{ entries, cursor, clockOffset, selected, isPane }}
              isLost={connection === "lost"}
              isFolded={lanes === "hidden"}
              onFold={(isFolded) => setLanes(isFolded ? "hidden" : "shown")}
              onCursor={setCursor}
            />
          </Split>
          <aside class="side">
            {shown ? (
              <Detail
                view={shown}
                absence={
                  now.has(shown.uid) ? undefined : cursor === undefined ? strings.deleted : strings.absent
                }
                time={cursor ?? Date.now() + clockOffset}
                seq={cursor === undefined ? undefined : (before.at(-1)?.seq ?? 0)}
                owner={ownerOf(shown, now)}
                owned={[...now.values()].filter(({ owners }) => owners.some(({ uid }) => uid === shown.uid))}
                entries={history.entries.filter(({ uid }) => uid === shown.uid)}
                onSelect={select}
                onEntry={({ at }) => setCursor(at)}
              />
            ) : (
              <div class="side-feed">
                <h2>{strings.tabs.changes}</h2>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, so the keyboard must reach it. */}
                <section class="side-scroll" tabIndex={0} aria-label={strings.tabs.changes}>
                  <Feed entries={before} withNames onSelect={openEntry} />
                </section>
              </div>
            )}
          </aside>
        </Split>
      </div>
    </div>
  );
}

function ownerOf({ owners }: ObjectView, objects: ReadonlyMap<string, ObjectView>): ObjectView | undefined {
  const owner = owners.find(({ controller }) => controller) ?? owners[0];
  return owner && objects.get(owner.uid);
}

/** Whose cluster this is. */
function Title({ cluster }: { readonly cluster: ClusterName | undefined }): JSX.Element {
  return (
    <>
      <h1 class="bar-title">
        <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" class="bar-logo">
          <path d="M5 9h4M9 9l4-4.5M9 9l4 4.5" fill="none" stroke="currentColor" stroke-width="1.5" />
          <circle cx="4" cy="9" r="2.5" fill="currentColor" />
          <circle cx="14" cy="4" r="2.5" fill="currentColor" />
          <circle cx="14" cy="14" r="2.5" fill="currentColor" />
        </svg>
        {cluster?.context ?? strings.title}
      </h1>
      {cluster && <span class="bar-server">{cluster.server.replace(/^https:\/\//, "")}</span>}
      <span class="badge">{strings.readOnly}</span>
    </>
  );
}

/** Reports whether a key goes into the element. */
function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

interface BarProps {
  readonly isPane: boolean;
  readonly state: ClusterState;
  readonly namespace: string | undefined;
  readonly search: string;
  readonly everything: boolean;
  readonly children: ComponentChildren;
  onNamespace(namespace: string | undefined): void;
  onSearch(text: string): void;
  onEverything(everything: boolean): void;
}

/** The value of the select for "all but kube-*". No namespace has such a name. */
const yours = "*";

function Bar(props: BarProps): JSX.Element {
  const { isPane, state, namespace, search, everything } = props;
  const { cluster, connection, kinds, history } = state;
  const bar = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const namespaces = useMemo(
    () => [...new Set([...history.now.values()].map((view) => view.namespace))].filter(Boolean).sort(),
    [state],
  );
  const problems = kinds.filter(({ problem }) => problem);
  useLayoutEffect(() => {
    // The page around a pane has shortcuts and fields of its own.
    const scope: EventTarget | null | undefined = isPane ? bar.current?.closest(".cluster-view") : window;
    const onKey = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== "/" || takesText(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    scope?.addEventListener("keydown", onKey);
    return () => scope?.removeEventListener("keydown", onKey);
  }, [isPane]);

  return (
    <header ref={bar} class="bar">
      {isPane ? <h2 class="bar-title">{strings.title}</h2> : <Title cluster={cluster} />}
      <span
        class={`connection connection-${connection}`}
        role="status"
        title={connection === "lost" ? strings.lostAdvice : ""}
      >
        {strings.connection[connection]}
      </span>
      {problems.length > 0 && (
        <span
          class="badge badge-warning"
          title={problems.map(({ kind, problem }) => `${kind}: ${problem}`).join("\n")}
        >
          {strings.problems(problems.length)}
        </span>
      )}
      <span class="bar-space" />
      <input
        type="search"
        ref={input}
        class="search"
        aria-label={strings.search}
        placeholder={strings.searchPlaceholder(isPane)}
        value={search}
        onInput={({ currentTarget }) => props.onSearch(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== "Escape") return;
          props.onSearch("");
          currentTarget.blur();
        }}
      />
      <select
        aria-label={strings.namespace}
        value={namespace ?? yours}
        onChange={({ currentTarget: { value } }) => props.onNamespace(value === yours ? undefined : value)}
      >
        <option value={yours}>{strings.yourNamespaces}</option>
        <option value="">{strings.allNamespaces}</option>
        {namespaces.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="toggle"
        aria-pressed={everything}
        title={strings.everythingNote}
        onClick={() => props.onEverything(!everything)}
      >
        {strings.everything}
      </button>
      {props.children}
    </header>
  );
}
