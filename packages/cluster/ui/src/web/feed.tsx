import { Component, type JSX } from "preact";
import { useRef } from "preact/hooks";
import type { TimelineEntry } from "../cluster/wire.ts";
import { timeOf } from "./format.ts";
import { strings } from "./strings.ts";

export interface FeedProps {
  /** Newest first. */
  readonly entries: readonly TimelineEntry[];
  /** Whether each entry names its object. */
  readonly withNames: boolean;
  onSelect?(entry: TimelineEntry): void;
}

/** Entries of the time line as a list. */
export function Feed({ entries, withNames, onSelect }: FeedProps): JSX.Element {
  const select = useRef(onSelect);
  select.current = onSelect;
  if (entries.length === 0) return <p class="hint">{strings.noChanges}</p>;
  return (
    <ol class="feed">
      {entries.map((entry) => (
        <FeedEntry key={entry.seq} {...{ entry, withNames, select }} />
      ))}
    </ol>
  );
}

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
    const { at, type, warning, kind, name, by, text } = entry;
    return (
      <li>
        <button type="button" class="feed-entry" onClick={() => select.current?.(entry)}>
          <time class="feed-time">{timeOf(at)}</time>
          <span class="feed-text">
            <span class="feed-line">
              <span class={`feed-type feed-${warning ? "warning" : type}`}>{strings.types[type]}</span>
              {withNames && (
                <span class="feed-name">
                  {kind} {name}
                </span>
              )}
              {by && <span class="feed-by">{strings.byManager(by)}</span>}
            </span>
            {text && <span class="feed-change">{text}</span>}
          </span>
        </button>
      </li>
    );
  }
}
