import type { JSX } from "preact";
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
  if (entries.length === 0) return <p class="hint">{strings.noChanges}</p>;
  return (
    <ol class="feed">
      {entries.map((entry) => (
        <li key={entry.seq}>
          <button type="button" class="feed-entry" onClick={() => onSelect?.(entry)}>
            <time class="feed-time">{timeOf(entry.at)}</time>
            <span class="feed-text">
              <span class="feed-line">
                <span class={`feed-type feed-${entry.warning ? "warning" : entry.type}`}>
                  {strings.types[entry.type]}
                </span>
                {withNames && (
                  <span class="feed-name">
                    {entry.kind} {entry.name}
                  </span>
                )}
                {entry.by && <span class="feed-by">{strings.byManager(entry.by)}</span>}
              </span>
              {entry.text && <span class="feed-change">{entry.text}</span>}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
