import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EventView, ObjectText, ObjectView, TimelineEntry } from "../cluster/wire.ts";
import { getJson, streamText } from "./api.ts";
import { eventsAsOf } from "./events-as-of.ts";
import { Feed } from "./feed.tsx";
import { ageOf, timeOf } from "./format.ts";
import { StatusMark } from "./status-mark.tsx";
import { strings } from "./strings.ts";

export interface DetailProps {
  readonly view: ObjectView;
  /** What the pane says of an object that does not exist at that moment. */
  readonly absence: string | undefined;
  /** The moment that is shown, in milliseconds since the epoch. */
  readonly time: number;
  /** The entry as of which the object is shown; undefined for now. */
  readonly seq: number | undefined;
  readonly owner: ObjectView | undefined;
  readonly owned: readonly ObjectView[];
  /** The object's own entries, oldest first, also those after that moment. */
  readonly entries: readonly TimelineEntry[];
  onSelect(uid: string | undefined): void;
  onEntry(entry: TimelineEntry): void;
}

const tabs = ["yaml", "events", "logs", "changes"] as const;
type Tab = (typeof tabs)[number];

/** What is known of one object. */
export function Detail(props: DetailProps): JSX.Element {
  const { view, absence, time, owner, owned, onSelect } = props;
  const [chosen, setTab] = useState<Tab>("yaml");
  const possible = tabs.filter((name) => name !== "logs" || view.kind === "Pod");
  const tab = possible.includes(chosen) ? chosen : "yaml";
  const { status } = view;

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = possible[(possible.indexOf(tab) + step + possible.length) % possible.length] ?? "yaml";
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  }

  return (
    <section class="detail" aria-label={strings.details}>
      <header class="detail-head">
        <div class="detail-title">
          <StatusMark tone={absence ? "ending" : status.tone} />
          <h2>{view.name}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label={strings.close}
            onClick={() => {
              // The object in the graph, which opened this pane.
              document.querySelector<HTMLElement>(".node-selected")?.focus();
              onSelect(undefined);
            }}
          >
            ✕
          </button>
        </div>
        <p class="detail-facts">
          <span>{view.kind}</span>
          {view.namespace && <span>{view.namespace}</span>}
          {absence ? (
            <span class="text-bad">{absence}</span>
          ) : (
            <>
              <span>{ageOf(time - view.created)}</span>
              {status.word && <span class={`text-${status.tone}`}>{status.word}</span>}
              {status.detail && <span>{status.detail}</span>}
            </>
          )}
          {owned.length > 0 && <span>{strings.owned(owned.length)}</span>}
        </p>
        {owner && (
          <button
            type="button"
            class="link detail-owner"
            title={`${owner.kind} ${owner.name}`}
            onClick={() => onSelect(owner.uid)}
          >
            <span>
              {strings.owner}: {owner.kind}
            </span>
            <span>{owner.name}</span>
          </button>
        )}
        <div class="tabs" role="tablist" aria-label={strings.details} onKeyDown={onKeyDown}>
          {possible.map((name) => (
            <button
              type="button"
              key={name}
              id={`tab-${name}`}
              role="tab"
              aria-selected={name === tab}
              aria-controls="tab-panel"
              tabIndex={name === tab ? 0 : -1}
              onClick={() => setTab(name)}
            >
              {strings.tabs[name]}
            </button>
          ))}
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the panel scrolls, so the keyboard must reach it. */}
      <div class="detail-body" id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === "yaml" && <Yaml {...props} />}
        {tab === "events" && <Events {...props} />}
        {tab === "logs" && <Logs key={view.uid} {...props} />}
        {tab === "changes" && <Feed entries={entriesBy(props)} withNames={false} onSelect={props.onEntry} />}
      </div>
    </section>
  );
}

/** Returns the object's entries up to the moment that is shown. */
function entriesBy({ entries, seq }: DetailProps): readonly TimelineEntry[] {
  return seq === undefined ? entries : entries.filter((entry) => entry.seq <= seq);
}

/** Loads data again when one of `keys` changes. Keeps the old data until the new ones are there. */
function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]) {
  const [state, setState] = useState<{ data?: T; error?: string }>({});
  useEffect(() => {
    const abort = new AbortController();
    load(abort.signal).then(
      (data) => setState({ data }),
      (error: Error) => {
        if (!abort.signal.aborted) setState({ error: error.message });
      },
    );
    return () => abort.abort();
  }, keys);
  return state;
}

function Yaml({ view, seq }: DetailProps): JSX.Element {
  const path = `/api/cluster/object?uid=${encodeURIComponent(view.uid)}${seq === undefined ? "" : `&seq=${seq}`}`;
  const text = useRef<HTMLPreElement>(null);
  const { data, error } = useLoaded<ObjectText>(
    (signal) => getJson(path, signal),
    [path, view.resourceVersion],
  );
  if (error !== undefined) return <p class="note">{error}</p>;
  if (!data) return <p class="note" />;
  const { change, lines } = data;
  const marked = lines.filter(({ mark }) => mark).length;
  return (
    <>
      <p class="last-change">
        {change ? (
          <>
            <span class="muted">{strings.lastChange}</span> {timeOf(change.at)} {strings.byManager(change.by)}
            {marked > 0 && (
              <button
                type="button"
                class="link"
                onClick={() => text.current?.querySelector("ins, del")?.scrollIntoView({ block: "center" })}
              >
                {strings.showChange(marked)}
              </button>
            )}
          </>
        ) : (
          <span class="muted">{strings.noChange}</span>
        )}
      </p>
      <pre class="yaml" ref={text}>
        {lines.map(({ text, mark }, index) => (
          <YamlText key={`${index} ${text}`} text={text} mark={mark} />
        ))}
      </pre>
    </>
  );
}

/** The key of a line of YAML, with its colon. */
const keyOf = /^(\s*(?:- )?)([\w./~-]+|"[^"]*")(:)(?= |$)/;

function YamlText({ text, mark }: { text: string; mark: "added" | "removed" | undefined }): JSX.Element {
  const [, indent = "", key = "", colon = ""] = keyOf.exec(text) ?? [];
  const rest = text.slice(indent.length + key.length + colon.length);
  const line = (
    <>
      {indent}
      {key && <span class="yaml-key">{key}</span>}
      {colon}
      {rest}
      {"\n"}
    </>
  );
  if (mark === "added") return <ins class="yaml-line">{line}</ins>;
  if (mark === "removed") return <del class="yaml-line">{line}</del>;
  return <span class="yaml-line">{line}</span>;
}

function Events({ view, entries, seq }: DetailProps): JSX.Element {
  const path = `/api/cluster/events?uid=${encodeURIComponent(view.uid)}`;
  // A new Event is an entry of the object.
  const { data, error } = useLoaded<EventView[]>(
    (signal) => getJson(path, signal),
    [path, entries.at(-1)?.seq],
  );
  if (error !== undefined) return <p class="note">{error}</p>;
  if (!data) return <p class="note" />;
  const events = eventsAsOf(data, entries, seq);
  if (events.length === 0)
    return <p class="note">{seq === undefined ? strings.noEvents : strings.noEventsYet}</p>;
  return (
    <ol class="feed">
      {events.map(({ at, reason, message, warning, source, count }) => (
        <li key={`${reason} ${message}`} class="feed-entry">
          <span class="feed-line">
            <span class={`feed-type ${warning ? "feed-warning" : "feed-event"}`}>{reason}</span>
            {count > 1 && <span class="feed-count">{strings.repeated(count)}</span>}
            <span class="feed-by">{source}</span>
            {at !== undefined && <time class="feed-time">{timeOf(at)}</time>}
          </span>
          <span class="feed-change">{message}</span>
        </li>
      ))}
    </ol>
  );
}

/** Characters of a log that stay on the page. */
const longestLog = 200_000;

function Logs({ view }: DetailProps): JSX.Element {
  const [container, setContainer] = useState("");
  const [containers, setContainers] = useState<string[]>([]);
  const [text, setText] = useState("");
  const [previous, setPrevious] = useState(false);
  const box = useRef<HTMLPreElement>(null);
  const uid = encodeURIComponent(view.uid);

  useEffect(() => {
    getJson<string[]>(`/api/cluster/containers?uid=${uid}`)
      .then((names) => {
        setContainers(names);
        setContainer((chosen) => chosen || (names[0] ?? ""));
      })
      .catch(() => {});
  }, [view.resourceVersion]);

  useEffect(() => {
    if (container === "") return;
    const abort = new AbortController();
    setText("");
    const path = `/api/cluster/logs?uid=${uid}&container=${encodeURIComponent(container)}${previous ? "&previous=1" : ""}`;
    void (async () => {
      for await (const chunk of streamText(path, abort.signal)) {
        setText((old) => (old + chunk).slice(-longestLog));
        const panel = box.current?.parentElement;
        // Follow the log, unless the reader has scrolled up.
        if (panel && panel.scrollHeight - panel.scrollTop - panel.clientHeight < 60)
          requestAnimationFrame(() => panel.scrollTo(0, panel.scrollHeight));
      }
    })().catch((error: Error) => {
      if (!abort.signal.aborted) setText((old) => `${old}${error.message}\n`);
    });
    return () => abort.abort();
  }, [container, previous]);

  return (
    <>
      <p class="log-bar">
        <select
          aria-label={strings.container}
          value={container}
          onChange={({ currentTarget }) => setContainer(currentTarget.value)}
        >
          {containers.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label>
          <input
            type="checkbox"
            checked={previous}
            onChange={({ currentTarget }) => setPrevious(currentTarget.checked)}
          />
          {strings.previousLog}
        </label>
      </p>
      <pre class="log" ref={box}>
        {withoutEscapes(text) || <span class="muted">{strings.noLogs}</span>}
      </pre>
    </>
  );
}

// Terminal colours of a program that logs in colour.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with ESC.
const escapes = /\u001b\[[0-9;?]*[A-Za-z]/g;

function withoutEscapes(text: string): string {
  return text.replace(escapes, "");
}
