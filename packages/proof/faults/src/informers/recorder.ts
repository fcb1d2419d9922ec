import type { Clock } from "@operator-path/client";
import { DeletedFinalStateUnknown, type EventHandler, keyOf } from "@operator-path/informers";
import type { Random } from "../random.ts";
import type { Thing } from "./objects.ts";
import type { HandlerKind } from "./steps.ts";

type Change = Parameters<NonNullable<EventHandler<Thing>["changed"]>>[0];

export interface Recorder {
  readonly name: string;
  readonly handler: EventHandler<Thing>;
  /** The state that the events add up to. */
  readonly state: ReadonlyMap<string, Thing>;
  /** Keys whose `added` the handler has returned from. */
  readonly finished: ReadonlySet<string>;
  readonly events: number;
  readonly busy: boolean;
  /** Marks the handler as removed: a later call is a problem. */
  removed(): void;
}

export interface RecorderOptions {
  name: string;
  kind: HandlerKind;
  clock: Clock;
  random: Random;
  /** Called with each event that does not fit the earlier ones. */
  onProblem(problem: string): void;
  /** Called during each event. */
  onEvent(): void;
  /** The registration's answer. Default: not yet. */
  hasSynced?(): boolean;
}

/**
 * A handler that adds up its events. Each event has to fit. `added` needs a missing object; `updated` and
 * `deleted` need an existing one in its last known state. Versions of one UID never regress. No event comes
 * while another is handled.
 */
export function createRecorder({
  name,
  kind,
  clock,
  random,
  onProblem,
  onEvent,
  hasSynced = () => false,
}: RecorderOptions): Recorder {
  const state = new Map<string, Thing>();
  const finished = new Set<string>();
  let events = 0;
  let busy = false;
  let isRemoved = false;
  const problem = (text: string) => onProblem(`handler ${name} (${kind}): ${text}`);

  function run(event: string, check: () => string): unknown {
    events++;
    if (isRemoved) problem(`${event} after it was removed`);
    if (busy) problem(`${event} while another event is handled`);
    busy = true;
    onEvent();
    const key = check();
    const finish = () => {
      busy = false;
      if (event === "added") finished.add(key);
    };
    if (kind === "slow" && random.chance(0.7)) return clock.sleep(random.int(1, 400)).then(finish);
    if (kind === "rejecting" && random.chance(0.4)) {
      return clock.sleep(random.int(1, 50)).then(() => {
        finish();
        throw new Error("a handler that rejects");
      });
    }
    finish();
    if (kind === "throwing" && random.chance(0.4)) throw new Error("a handler that throws");
    return undefined;
  }

  function added(object: Thing, isInInitialList: boolean): string {
    const key = keyOf(object);
    if (isInInitialList && hasSynced()) problem(`added ${key} as part of the initial list, which is over`);
    if (state.has(key)) problem(`added ${key} ${id(object)}, which exists: ${id(state.get(key))}`);
    state.set(key, object);
    return key;
  }

  function updated(old: Thing, object: Thing): string {
    const key = keyOf(object);
    const was = state.get(key);
    if (!was) problem(`updated ${key} ${id(object)}, which does not exist`);
    else if (id(old) !== id(was)) problem(`updated ${key} from ${id(old)}, but it was ${id(was)}`);
    if (old.metadata?.uid !== object.metadata?.uid) {
      problem(`updated ${key} from ${id(old)} to ${id(object)}: another object`);
    }
    if (version(object) < version(old)) problem(`${key} went back from ${id(old)} to ${id(object)}`);
    state.set(key, object);
    return key;
  }

  function deleted(key: string, object: Thing, isFinalStateUnknown: boolean): string {
    const was = state.get(key);
    if (!was) problem(`deleted ${key} ${id(object)}, which does not exist`);
    else if (was.metadata?.uid !== object.metadata?.uid) {
      problem(`deleted ${key} ${id(object)}, but it was ${id(was)}`);
    } else if (isFinalStateUnknown ? id(object) !== id(was) : version(object) < version(was)) {
      problem(`deleted ${key} at ${id(object)}, but it was ${id(was)}`);
    }
    state.delete(key);
    return key;
  }

  /** A change has to agree with its object, whether the handler reads the object or not. */
  function changed(change: Change): string {
    const { type, key, uid, resourceVersion, oldResourceVersion, isFinalStateUnknown, metadata } = change;
    const object: Thing = random.chance(0.5) ? change.object : { ...change.object, metadata };
    const said = `${key} ${uid}@${resourceVersion}`;
    if (said !== `${keyOf(object)} ${id(object)}`) problem(`${type} says ${said}, and is ${id(object)}`);
    if (type === "added") return added(object, change.isInInitialList);
    if (type === "deleted") return deleted(key, object, isFinalStateUnknown);
    if (oldResourceVersion !== change.old?.metadata?.resourceVersion) {
      problem(`${type} ${said} says it was @${oldResourceVersion}, and was ${id(change.old)}`);
    }
    return updated(change.old as Thing, object);
  }

  return {
    name,
    state,
    finished,
    get events() {
      return events;
    },
    get busy() {
      return busy;
    },
    removed() {
      isRemoved = true;
    },
    handler:
      kind === "changed"
        ? { changed: (change) => run(change.type, () => changed(change)) }
        : {
            added: (object, isInInitialList) => run("added", () => added(object, isInInitialList)),
            updated: (old, object) => run("updated", () => updated(old, object)),
            deleted(object) {
              const isTombstone = object instanceof DeletedFinalStateUnknown;
              const last = isTombstone ? object.object : object;
              return run("deleted", () => deleted(keyOf(object), last, isTombstone));
            },
          },
  };
}

const version = (object: Thing) => Number(object.metadata?.resourceVersion);
const id = (object: Thing | undefined) => `${object?.metadata?.uid}@${object?.metadata?.resourceVersion}`;
