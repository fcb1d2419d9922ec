import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ObjectView, TimelineEntry } from "../cluster/wire.ts";
import { Detail } from "./detail.tsx";
import { Feed } from "./feed.tsx";
import { Graph } from "./graph.tsx";
import { strings } from "./strings.ts";
import { Timeline } from "./timeline.tsx";
import { type ClusterState, useCluster } from "./use-cluster.ts";
import { isVisible, visibleObjects } from "./visible-objects.ts";
import "./theme.css";
import "./cluster-view.css";

export interface ClusterViewProps {
  /** The server's socket. Default: that of `serveCluster`. */
  readonly path?: string;
  /** What stands at the end of the bar, such as a switch of the theme. */
  readonly children?: ComponentChildren;
}

const longestFeed = 200;

/** A cluster as a graph, with details of an object and a time line. It needs a server with `serveCluster`. */
export function ClusterView({ path, children }: ClusterViewProps): JSX.Element {
  const state = useCluster(path);
  const { history, clockOffset } = state;
  const [namespace, setNamespace] = useState<string | undefined>(undefined);
  const [search, setSearch] = useState("");
  const [everything, setEverything] = useState(false);
  const [selected, select] = useState<string | undefined>(undefined);
  const [cursor, setCursor] = useState<number | undefined>(undefined);
  const now = cursor === undefined ? history.now : history.at(cursor);
  const filter = { namespace, search, everything };
  // The state is a new object for each change of the history.
  const objects = useMemo(() => visibleObjects(now, filter), [state, cursor, namespace, search, everything]);
  const entries = useMemo(
    () => history.entries.filter((entry) => isVisible(entry, filter)),
    [state, namespace, everything],
  );
  const before = cursor === undefined ? entries : entries.filter(({ at }) => at <= cursor);
  const last = useRef<ObjectView | undefined>(undefined);
  const view = selected === undefined ? undefined : now.get(selected);
  // A deleted object stays in the pane, with its last state.
  if (view || selected !== last.current?.uid) last.current = view;
  const shown = last.current;

  function openEntry({ uid, at }: TimelineEntry): void {
    if (now.has(uid) || entries.some((entry) => entry.uid === uid && entry.view)) select(uid);
    if (cursor !== undefined) setCursor(at);
  }

  return (
    <div class={`cluster-view${cursor === undefined ? "" : " is-past"}${shown ? " has-detail" : ""}`}>
      <Bar
        {...{ state, namespace, search, everything, children }}
        onNamespace={setNamespace}
        onSearch={setSearch}
        onEverything={setEverything}
      />
      <Graph
        objects={objects}
        selected={selected}
        isLive={cursor === undefined}
        empty={!state.synced ? strings.syncing : search ? strings.emptyFilter : strings.empty}
        onSelect={select}
      />
      <aside class="side">
        {shown ? (
          <Detail
            view={shown}
            time={cursor ?? Date.now() + clockOffset}
            seq={cursor === undefined ? undefined : (before.at(-1)?.seq ?? 0)}
            owner={ownerOf(shown, now)}
            owned={[...now.values()].filter(({ owners }) => owners.some(({ uid }) => uid === shown.uid))}
            entries={before
              .filter(({ uid }) => uid === shown.uid)
              .slice(-longestFeed)
              .reverse()}
            onSelect={select}
            onEntry={({ at }) => setCursor(at)}
          />
        ) : (
          <div class="side-feed">
            <h2>{strings.tabs.changes}</h2>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, so the keyboard must reach it. */}
            <section class="side-scroll" tabIndex={0} aria-label={strings.tabs.changes}>
              <Feed entries={before.slice(-longestFeed).reverse()} withNames onSelect={openEntry} />
            </section>
          </div>
        )}
      </aside>
      <Timeline {...{ entries, cursor, clockOffset, selected }} onCursor={setCursor} />
    </div>
  );
}

function ownerOf({ owners }: ObjectView, objects: ReadonlyMap<string, ObjectView>): ObjectView | undefined {
  const owner = owners.find(({ controller }) => controller) ?? owners[0];
  return owner && objects.get(owner.uid);
}

interface BarProps {
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
  const { state, namespace, search, everything } = props;
  const { cluster, connection, kinds, history } = state;
  const input = useRef<HTMLInputElement>(null);
  const namespaces = useMemo(
    () => [...new Set([...history.now.values()].map((view) => view.namespace))].filter(Boolean).sort(),
    [state],
  );
  const problems = kinds.filter(({ problem }) => problem);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { tagName } = event.target as HTMLElement;
      if (event.key !== "/" || tagName === "INPUT" || tagName === "TEXTAREA" || tagName === "SELECT") return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  return (
    <header class="bar">
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
        placeholder={strings.searchPlaceholder}
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
        title={strings.everythingHint}
        onClick={() => props.onEverything(!everything)}
      >
        {strings.everything}
      </button>
      {props.children}
    </header>
  );
}
