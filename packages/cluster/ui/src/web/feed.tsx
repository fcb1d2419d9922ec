import { Component, type JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { TimelineEntry } from "../cluster/wire.ts";
import { feedEntries } from "./feed-entries.ts";
import { timeOf } from "./format.ts";
import { strings } from "./strings.ts";
import { useSlowly } from "./use-slowly.ts";

export interface FeedProps {
  /** Oldest first. */
  readonly entries: readonly TimelineEntry[];
  /** Whether each entry names its object. */
  readonly withNames: boolean;
  onSelect?(entry: TimelineEntry): void;
}

/** Entries of the time line as a list, newest first. Heartbeats are left out until they are asked for. */
export function Feed({ entries, withNames, onSelect }: FeedProps): JSX.Element {
  const select = useRef(onSelect);
  select.current = onSelect;
  const [length, setLength] = useState(step);
  const [withHeartbeats, setWithHeartbeats] = useState(false);
  const slowly = useSlowly(entries, pace);
  const { shown, heartbeats } = useMemo(() => feedEntries(slowly, withHeartbeats), [slowly, withHeartbeats]);
  if (slowly.length === 0) return <p class="note">{strings.noChanges}</p>;
  return (
    <>
      {heartbeats > 0 && (
        <p class="feed-heartbeats" title={strings.heartbeatsNote}>
          {strings.heartbeats(heartbeats)} {!withHeartbeats && strings.leftOut}
          <button
            type="button"
            class="link"
            aria-label={`${withHeartbeats ? strings.hide : strings.show} ${strings.heartbeats(heartbeats)}`}
            onClick={() => setWithHeartbeats(!withHeartbeats)}
          >
            {withHeartbeats ? strings.hide : strings.show}
          </button>
        </p>
      )}
      {shown.length === 0 && <p class="note">{strings.onlyHeartbeats}</p>}
      <ol class="feed">
        {shown.slice(0, length).map((entry) => (
          <FeedEntry key={entry.seq} {...{ entry, withNames, select }} />
        ))}
      </ol>
      {shown.length > length && (
        <button type="button" class="feed-more" onClick={() => setLength(length + step)}>
          {strings.earlier}
        </button>
      )}
    </>
  );
}

/** Entries that are in the document at first. A long list costs in each frame, although most of it is out of sight. */
const step = 30;
/** Milliseconds. People cannot read a list that changes faster. The graph is drawn in each frame. */
const pace = 200;

interface FeedEntryProps {
  readonly entry: TimelineEntry;
  readonly withNames: boolean;
  /** Stays the same object, so that a new function draws nothing. */
  readonly select: { readonly current: FeedProps["onSelect"] };
}

/**
 * An entry never changes, so it is drawn once: a busy cluster adds entries in every frame. Keeping the elements instead
 * would keep all earlier lists, because elements refer to their parents.
 */
class FeedEntry extends Component<FeedEntryProps> {
  override shouldComponentUpdate({ entry, withNames }: FeedEntryProps): boolean {
    return entry !== this.props.entry || withNames !== this.props.withNames;
  }

  override render({ entry, withNames, select }: FeedEntryProps): JSX.Element {
    const { at, type, warning, kind, name, by, text, count = 1 } = entry;
    return (
      <li>
        <button
          type="button"
          class="feed-entry"
          title={`${kind} ${name}`}
          onClick={() => select.current?.(entry)}
        >
          <span class="feed-line">
            <span class={`feed-type feed-${warning ? "warning" : type}`}>{strings.types[type]}</span>
            {count > 1 && <span class="feed-count">{strings.repeated(count)}</span>}
            {withNames && <span class="feed-kind">{strings.shortKinds[kind] ?? kind}</span>}
            {!withNames && by && <span class="feed-by">{strings.byManager(by)}</span>}
            <time class="feed-time">{timeOf(at)}</time>
          </span>
          {withNames && <span class="feed-name">{name}</span>}
          {withNames && by && <span class="feed-by">{strings.byManager(by)}</span>}
          {text && <span class="feed-change">{text}</span>}
        </button>
      </li>
    );
  }
}
