import { ApiError, isGone } from "@operator-path/client";
import { keyFor, nameOf } from "../server/objects.ts";
import type { Seen, WitnessedEvent, WitnessListener } from "./witness.ts";

export interface Resumption extends WitnessListener {
  /** The keys of each whole list that has arrived, as pages or as a stream. */
  readonly lists: readonly ReadonlySet<string>[];
}

/** A client may abandon a stream whose first objects take this long, or that is silent this long. */
const patience = { initial: 30_000, quiet: 60_000 };

/**
 * Judges where a client starts and resumes. A watch resumes from the newest version received by list, event
 * or bookmark. A version that the server has compacted or does not know yet is not used again. A healthy
 * stream is not abandoned. A stream that has ended is resumed, without a list.
 */
export function createResumption(isOver: () => boolean, onProblem: (problem: string) => void): Resumption {
  const lists: Set<string>[] = [];
  let pages = new Set<string>();
  /** The first objects of streams that have not ended. */
  const initial = new Map<Seen, Set<string>>();
  /** Streams with a fault. */
  const unsound = new WeakSet<Seen>();
  let newest = 0;
  /** The last event was the end of a stream that can be resumed. */
  let canResume = false;
  /** The refusal after which no version may be used. */
  let refusal = "";

  return {
    lists,
    asked({ verb, query }) {
      if (verb !== "list" && verb !== "watch") return;
      const from = String(query.resourceVersion ?? "");
      if (refusal && (from !== "" || query.continue)) {
        onProblem(
          `uses ${query.continue ? "the continue token" : `version ${from}`} after the answer: ${refusal}`,
        );
      }
      refusal = "";
      const isResumed = verb === "watch" && !query.sendInitialEvents;
      if (canResume && !isResumed) onProblem("lists again after a stream that could have been resumed");
      canResume = false;
      if (isResumed && Number(from) !== newest) {
        onProblem(`resumes from version ${from || '""'} instead of the newest, ${newest}`);
      }
    },
    refused({ verb, error, outcome = "" }) {
      if ((verb === "list" || verb === "watch") && forgetsVersion(error)) refusal = outcome;
    },
    listed({ query }, { items, metadata }) {
      if (!query.continue) pages = new Set();
      for (const item of items) pages.add(keyOf(item));
      if (metadata.continue) return;
      lists.push(pages);
      newest = Math.max(newest, Number(metadata.resourceVersion));
    },
    event(seen, event) {
      // The client does not read past a line that is no event.
      if (unsound.has(seen)) return;
      if (!isSound(event)) unsound.add(seen);
      if (event.type === "ERROR" && event.object?.code === 410) refusal = "410, in an ERROR event";
      if (unsound.has(seen) || !event.object) return;
      const { object, type } = event;
      const version = Number(object.metadata?.resourceVersion);
      if (!seen.query.sendInitialEvents || lists.includes(initial.get(seen) as Set<string>)) {
        newest = Math.max(newest, version);
        return;
      }
      const keys = initial.get(seen) ?? new Set<string>();
      initial.set(seen, keys);
      if (type === "ADDED") keys.add(keyOf(object));
      if (object.metadata?.annotations?.["k8s.io/initial-events-end"] !== "true") return;
      lists.push(keys);
      newest = Math.max(newest, version);
    },
    streamEnded(seen, { how, at, silence }) {
      const isInitial = seen.query.sendInitialEvents && !lists.includes(initial.get(seen) as Set<string>);
      canResume = !isInitial && !unsound.has(seen);
      if (how !== "left" || isOver() || unsound.has(seen)) return;
      const isGivenUp = isInitial ? at - seen.at >= patience.initial : silence >= patience.quiet;
      if (!isGivenUp) onProblem(`abandons a healthy stream, ${Math.round(silence)} ms after its last byte`);
    },
  };
}

const types = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]);

function isSound({ type, object }: WitnessedEvent): boolean {
  return types.has(type) && object?.metadata?.resourceVersion !== undefined;
}

function forgetsVersion(error: unknown): boolean {
  return isGone(error) || (error instanceof ApiError && error.message.includes("Too large resource version"));
}

function keyOf(object: Parameters<typeof nameOf>[0]): string {
  const { namespace, name } = nameOf(object);
  return keyFor(namespace, name);
}
