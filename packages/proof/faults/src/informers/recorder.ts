import type { Clock } from "@operator-path/client";
import { DeletedFinalStateUnknown, type EventHandler, keyOf } from "@operator-path/informers";
import type { Random } from "../random.ts";
import type { Thing } from "./objects.ts";
import type { HandlerKind } from "./steps.ts";

type Change = Parameters<NonNullable<EventHandler<Thing>["changed"]>>[0];

export interface Recorder {
  readonly name: string;
  readonly handler: EventHandler<Thing>;
  /** What the events so far add up to. */
  readonly state: ReadonlyMap<string, Thing>;
  /** Keys whose `added` the handler has returned from. */
  readonly finished: ReadonlySet<string>;
  readonly events: number;
  readonly busy: boolean;
  /** From now on it must not be called. */
  removed(): void;
}

export interface RecorderOptions {
  name: string;
  kind: HandlerKind;
  clock: Clock;
  random: Random;
  /** Told of each event that does not fit those before it. */
  onProblem(problem: string): void;
  /** Called in the middle of each event. */
  onEvent(): void;
  /** What the handler's registration says. Default: not yet. */
  hasSynced?(): boolean;
}

/**
 * A handler that adds up what it is told. Each event has to fit: added is of what is not there, updated and deleted of
 * what is, in the state that was told last; versions of one UID never regress; no event comes while another is handled.
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
    if (isInInitialList && hasSynced()) problem(`added ${key} as of the initial list, which is over`);
    if (state.has(key)) problem(`added ${key} ${id(object)}, which is there: ${id(state.get(key))}`);
    state.set(key, object);
    return key;
  }

  function updated(old: Thing, object: Thing): string {
    const key = keyOf(object);
    const was = state.get(key);
    if (!was) problem(`updated ${key} ${id(object)}, which is not there`);
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
    if (!was) problem(`deleted ${key} ${id(object)}, which is not there`);
    else if (was.metadata?.uid !== object.metadata?.uid) {
      problem(`deleted ${key} ${id(object)}, but what was there was ${id(was)}`);
    } else if (isFinalStateUnknown ? id(object) !== id(was) : version(object) < version(was)) {
      problem(`deleted ${key} as of ${id(object)}, but it was ${id(was)}`);
    }
    state.delete(key);
    return key;
  }

  /** What a change says of itself has to be what its object says, whether somebody looks or not. */
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
