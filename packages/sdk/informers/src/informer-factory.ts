import type { Client, KubeObject, Resource } from "@operator-path/client";
import { createSharedInformer, type SharedInformer, type SharedInformerOptions } from "./shared-informer.ts";

/** One informer a resource, however many ask for it (client-go: SharedInformerFactory). */
export interface InformerFactory {
  /** The same informer each time. */
  informer<T extends KubeObject>(resource: Resource<T>): SharedInformer<T>;
  /** Starts every informer that was asked for and does not run yet. */
  start(signal: AbortSignal): void;
  /** Resolves when every informer that was asked for has synced; rejects as theirs does, when a signal aborts first. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  /** Resolves when every informer has ended; abort the signal given to `start` first. */
  shutdown(): Promise<void>;
}

/** A `namespace` holds for namespaced resources; of the others there is but one collection. */
export type InformerFactoryOptions = Omit<SharedInformerOptions<KubeObject>, "indexers">;

export function createInformerFactory(client: Client, options: InformerFactoryOptions = {}): InformerFactory {
  const informers = new Map<string, SharedInformer<KubeObject>>();
  const running = new Map<string, Promise<void>>();
  return {
    informer<T extends KubeObject>(resource: Resource<T>): SharedInformer<T> {
      const key = `${resource.group}/${resource.version}/${resource.plural}`;
      // The map forgets the type of the objects; the key, made from the resource that carries it, remembers.
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
        if (!running.has(key)) running.set(key, informer.run(signal));
      }
    },
    async waitForSync(signal) {
      await Promise.all([...informers.values()].map((informer) => informer.waitForSync(signal)));
    },
    async shutdown() {
      await Promise.all(running.values());
    },
  };
}
