import { type ConfigMap, configMaps, type WatchEvent } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished } from "vitest";
import type { EventHandler } from "../event-handler.ts";
import { DeletedFinalStateUnknown, keyOf, unwrapTombstone } from "../keys.ts";
import { createSharedInformerOn, type SharedInformerOptions } from "../shared-informer.ts";
import { type Answer, createScriptedSource } from "./scripted-source.ts";

export type ScriptedOptions = Omit<SharedInformerOptions<ConfigMap>, "namespace">;

/**
 * An informer of ConfigMaps, and the server that gives it these answers. It ends with the test, and must leave no timer
 * and no watch behind.
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
    /** Lets everything happen that is due now. */
    settle,
    /** Lets everything happen that is due within so many seconds. */
    async pass(seconds = 1) {
      await settle();
      for (let second = 0; second < seconds; second++) {
        await clock.advance(1_000);
        await settle();
      }
    },
    /** "name@version" of what is cached. */
    cache: () => informer.lister.list().map(nameOf).sort(),
  };
}

/** On a slow machine there may be a turn of the event loop between any two events: enough of them for any test here. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export const nameOf = ({ metadata }: ConfigMap): string => `${metadata?.name}@${metadata?.resourceVersion}`;

/** Notes what it is told, with what the cache has for that key at that moment when one is given. */
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
