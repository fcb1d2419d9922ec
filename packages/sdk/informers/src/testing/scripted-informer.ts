import { type ConfigMap, configMaps, type WatchEvent } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished } from "vitest";
import type { EventHandler } from "../event-handler.ts";
import { DeletedFinalStateUnknown, keyOf, unwrapTombstone } from "../keys.ts";
import { createSharedInformerOn, type SharedInformerOptions } from "../shared-informer.ts";
import { type Answer, createScriptedSource } from "./scripted-source.ts";

export type ScriptedOptions = Omit<SharedInformerOptions<ConfigMap>, "namespace">;

/**
 * Creates an informer of ConfigMaps and a server that gives these answers. The informer stops with the test,
 * which fails if a timer or a watch is left.
 */
export function createScriptedInformer(answers: Answer[], options: ScriptedOptions = {}) {
  const server = createScriptedSource(answers);
  const clock = createFakeClock();
  const stop = new AbortController();
  const log: string[] = [];
  const informer = createSharedInformerOn<ConfigMap>(server.source, configMaps, {
    ...{ clock, random: () => 1, log: (line: string) => log.push(line) },
    ...options,
  });
  let run = Promise.resolve();
  const end = async () => {
    stop.abort();
    await run;
    expect([clock.pending(), server.open()]).toEqual([0, 0]);
  };
  onTestFinished(end);
  return {
    ...{ server, clock, informer, log, end },
    start() {
      run = informer.run(stop.signal);
    },
    /** Lets everything run that is due now. */
    settle,
    /** Lets everything run that is due within this many seconds. */
    async pass(seconds = 1) {
      await settle();
      for (let second = 0; second < seconds; second++) {
        await clock.advance(1_000);
        await settle();
      }
    },
    /** Returns "name@version" of each cached object. */
    cache: () => informer.lister.list().map(nameOf).sort(),
  };
}

/**
 * On a slow machine any two events may be in different turns of the event loop. 60 turns are enough for every
 * test here.
 */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export const nameOf = ({ metadata }: ConfigMap): string => `${metadata?.name}@${metadata?.resourceVersion}`;

/**
 * Records each event. If `cached` is given, it also records what the cache holds for the key at that moment.
 */
export function recorder(
  events: string[],
  cached?: (key: string) => ConfigMap | undefined,
): EventHandler<ConfigMap> {
  const now = (key: string) => {
    const object = cached?.(key);
    return cached ? `, cached ${object ? nameOf(object) : "nothing"}` : "";
  };
  return {
    added: (object, isInitial) =>
      events.push(`${isInitial ? "initial" : "added"} ${nameOf(object)}${now(keyOf(object))}`),
    updated: (old, object) => events.push(`updated ${nameOf(old)} → ${nameOf(object)}${now(keyOf(object))}`),
    deleted: (object) => {
      const what = object instanceof DeletedFinalStateUnknown ? "lost" : "deleted";
      events.push(`${what} ${nameOf(unwrapTombstone(object))}${now(keyOf(object))}`);
    },
  };
}

export const added = (object: ConfigMap): WatchEvent => ({ type: "ADDED", object });
export const modified = (object: ConfigMap): WatchEvent => ({ type: "MODIFIED", object });
export const deleted = (object: ConfigMap): WatchEvent => ({ type: "DELETED", object });
