import type { Client, KubeObject, Resource } from "@operator-path/client";
import { createSharedInformer, type SharedInformer, type SharedInformerOptions } from "./shared-informer.ts";

/** Shares one informer per resource between all its users (client-go: SharedInformerFactory). */
export interface InformerFactory {
  /** Returns the same informer on every call with the same resource. */
  informer<T extends KubeObject>(resource: Resource<T>): SharedInformer<T>;
  /** Starts every requested informer that is not running yet. */
  start(signal: AbortSignal): void;
  /**
   * Resolves when every requested informer has synced. Rejects when a signal aborts first, and when a
   * requested informer was not started: it would never sync.
   */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when every informer has stopped. Abort the signal that you gave to `start` first. Rejects if an
   * informer could not be started, for example because it was already started by hand.
   */
  shutdown(): Promise<void>;
}

/** `namespace` applies to namespaced resources only. */
export type InformerFactoryOptions = Omit<SharedInformerOptions<KubeObject>, "indexers">;

export function createInformerFactory(client: Client, options: InformerFactoryOptions = {}): InformerFactory {
  const informers = new Map<string, SharedInformer<KubeObject>>();
  const running = new Map<string, Promise<void>>();
  return {
    informer<T extends KubeObject>(resource: Resource<T>): SharedInformer<T> {
      const key = `${resource.group}/${resource.version}/${resource.plural}`;
      // The map loses the object type. The key restores it: it is built from the resource, which carries the
      // type.
      const known = informers.get(key) as unknown as SharedInformer<T> | undefined;
      if (known) return known;
      const selection = resource.namespaced ? {} : { namespace: undefined };
      const made = createSharedInformer(client, resource, {
        ...(options as SharedInformerOptions<T>),
        ...selection,
      });
      informers.set(key, made as unknown as SharedInformer<KubeObject>);
      return made;
    },
    start(signal) {
      for (const [key, informer] of informers) {
        if (running.has(key)) continue;
        const run = informer.run(signal);
        // `shutdown` reports the rejection.
        run.catch(() => {});
        running.set(key, run);
      }
    },
    async waitForSync(signal) {
      signal?.throwIfAborted();
      const idle = [...informers.keys()].filter((key) => !running.has(key));
      if (idle.length > 0) throw new Error(notStarted(idle));
      await Promise.all([...informers.values()].map((informer) => informer.waitForSync(signal)));
    },
    async shutdown() {
      const ends = await Promise.allSettled(running.values());
      const failed = ends.find((end) => end.status === "rejected");
      if (failed) throw failed.reason;
    },
  };
}

function notStarted(keys: readonly string[]): string {
  const names = keys.map((key) => key.slice(key.lastIndexOf("/") + 1));
  const subject =
    names.length === 1 ? `informer of ${names[0]} was` : `informers of ${names.join(", ")} were`;
  return `the ${subject} requested but not started: call start(signal) after the last call of informer()`;
}
