import { getEventListeners } from "node:events";
import { createSharedInformer, type HandlerRegistration } from "@operator-path/informers";
import { difference } from "./compare.ts";
import { createMirrorController, idOf, mirrors } from "./mirror.ts";
import type { Thing } from "./objects.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { HandlerKind, History } from "./steps.ts";
import type { World } from "./world.ts";

/** The end of answers of `wrong` that time alone corrects. */
export const atWork = "is at work";

/** The informer of a history, its handlers, and the controller behind it. */
export interface Actors {
  /** Starts the informer and its workers, once. */
  begin(): void;
  addHandler(kind: HandlerKind): void;
  removeHandler(index: number): void;
  readonly recorders: readonly Recorder[];
  /** Checks HasSynced and health(). */
  look(): void;
  /** Returns the first thing that is wrong; undefined if nothing is. */
  wrong(): string | undefined;
  /** Returns the number of reconciles that wrote something. */
  writes(): number;
  end(): Promise<void>;
}

export function createActors(world: World, { scenario }: History): Actors {
  const { clock, random, problem, server, client, resource } = world;
  const { store, managedFields, labelSelector, namespace, pageSize, resyncMs } = scenario;
  const selection = { ...(labelSelector ? { labelSelector } : {}), ...(namespace ? { namespace } : {}) };
  const comparison = { metadataOnly: store === "metadata", managedFields };
  const stop = new AbortController();
  const draw = random.fork("actors");
  const informer = createSharedInformer(client, resource, {
    ...selection,
    ...{ store, managedFields, watchList: scenario.watchList !== "not asked for" },
    pageSize,
    ...(resyncMs ? { resyncMs } : {}),
    indexers: { value: ({ metadata }) => [metadata?.labels?.app ?? "none"] },
    clock,
    random: random.fork("informer").next,
    log: (line) => world.note(() => `LOG ${line.split("\n")[0]}`),
  });
  world.known = informer.lastSyncResourceVersion;
  let running: Promise<unknown> | undefined;
  let synced = false;
  let newest = 0;
  const recorders: Recorder[] = [];
  const registrations = new Map<Recorder, HandlerRegistration>();
  /** The keys in the cache when a handler was added, until that handler has synced. */
  const initial = new Map<Recorder, string[]>();
  const first = new Set<Recorder>();

  const controller =
    scenario.workers > 0
      ? createMirrorController({
          client,
          informer,
          workers: scenario.workers,
          clock,
          random: draw.fork("mirror"),
          onProblem: problem,
        })
      : undefined;
  if (controller) informer.addEventHandler(controller.handler);

  function addHandler(kind: HandlerKind): void {
    const name = String(recorders.length);
    const recorder = createRecorder({
      name,
      kind,
      clock,
      random: draw.fork(`handler ${name}`),
      onProblem: problem,
      onEvent: look,
      hasSynced: () => registrations.get(recorder)?.hasSynced() ?? false,
    });
    recorders.push(recorder);
    initial.set(recorder, [...informer.indexer.keys()]);
    registrations.set(recorder, informer.addEventHandler(recorder.handler));
    if (!running) first.add(recorder);
  }

  function look(): void {
    for (const [recorder, keys] of initial) {
      if (!registrations.get(recorder)?.hasSynced()) continue;
      initial.delete(recorder);
      const missing = keys.filter((key) => !recorder.finished.has(key));
      if (missing.length > 0) problem(`handler ${recorder.name} has synced without ${missing}`);
    }
    const { synced: saysSynced, failures, lastError, lastContact } = informer.health();
    if (saysSynced !== informer.hasSynced()) problem("health() and hasSynced() do not agree");
    if (failures > 0 && !lastError) problem(`health() counts ${failures} failures and names none`);
    const version = Number(informer.lastSyncResourceVersion());
    if (version < newest) problem(`the version went back from ${newest} to ${version}`);
    newest = version;
    if (lastContact > clock.now()) problem("health() reports a contact in the future");
    if (synced || !informer.hasSynced()) return;
    synced = true;
    const those = [...first].filter((recorder) => registrations.has(recorder));
    const handled = world.lists.some((keys) =>
      those.every(({ finished }) => [...keys].every((key) => finished.has(key))),
    );
    if (!handled) problem("HasSynced is true before a whole list has been handled");
  }
  world.onRequest = look;

  function mirrored(): string | undefined {
    if (!controller) return undefined;
    if (!controller.idle) return `the controller ${atWork}`;
    if (controller.lost.length > 0) return `${controller.lost} were added and not processed`;
    const found = server
      .truth(mirrors)
      .map(({ metadata, of }) => `${metadata?.namespace}/${metadata?.name} ${of}`);
    const wanted = server
      .truth(resource, selection)
      .map((object) => `${object.metadata?.namespace}/${object.metadata?.name} ${idOf(object)}`);
    return found.join() === wanted.join() ? undefined : `the mirror is ${found} instead of ${wanted}`;
  }

  for (const kind of scenario.handlers) addHandler(kind);

  return {
    recorders,
    addHandler,
    look,
    begin() {
      running ??= Promise.all([informer.run(stop.signal), controller?.run(stop.signal)]);
    },
    removeHandler(index) {
      const recorder = recorders[index];
      if (!recorder) return;
      registrations.get(recorder)?.remove();
      registrations.delete(recorder);
      recorder.removed();
    },
    wrong() {
      if (!informer.hasSynced()) return "the informer has not synced";
      const health = informer.health();
      if (!health.synced) return "health() says that the informer has not synced";
      if (health.resourceVersion !== informer.lastSyncResourceVersion())
        return "health() has another version";
      const truth = server.truth(resource, selection);
      const cached = difference(informer.lister.list(), truth, comparison);
      if (cached) return `the cache differs from a list: ${cached}`;
      for (const object of informer.lister.list()) {
        const app = object.metadata?.labels?.app ?? "none";
        if (!informer.indexer.byIndex("value", app).includes(object))
          return `${idOf(object)} is missing from its index`;
      }
      const indexed = [0, 1, 2].flatMap((value) => informer.indexer.byIndex("value", `app-${value}`));
      if (indexed.length !== truth.length)
        return `${indexed.length} objects are indexed, and ${truth.length} cached`;
      if (informer.lister.list().some(canBeChanged)) return "a cached object can be changed";
      for (const recorder of registrations.keys()) {
        if (recorder.busy) return `handler ${recorder.name} ${atWork}`;
        const found = difference(recorder.state.values(), truth, comparison);
        if (found) return `the events of handler ${recorder.name} do not add up to the list: ${found}`;
      }
      return mirrored();
    },
    writes: () => controller?.writes ?? 0,
    async end() {
      world.isOver = true;
      stop.abort(new Error("the history is over"));
      let ended = false;
      const ending = running?.then(() => {
        ended = true;
      });
      for (let turn = 0; turn < 100 && !ended; turn++) await clock.advance(turn < 2 ? 0 : 500);
      if (ended) await ending;
      else problem("the informer does not end");
      const listeners = getEventListeners(stop.signal, "abort").length;
      if (listeners > 0) problem(`${listeners} listeners are left on the signal`);
    },
  };
}

function canBeChanged({ metadata }: Thing): boolean {
  try {
    Object.assign(metadata ?? {}, { generateName: "changed" });
    return true;
  } catch {
    return false;
  }
}
