import type { KubeObject, LabelSelector } from "@operator-path/client";
import { type Indexer, namespaceIndex } from "./indexer.ts";
import { matchLabels } from "./selectors.ts";

/**
 * Reads from an informer's cache (client-go: listers). No request is made, and what is read may be older than the
 * cluster: by milliseconds usually, by more while the watch is down. The objects are shared: copy before a change.
 */
export interface Lister<T extends KubeObject> {
  /** @throws SyntaxError when a text is no selector */
  list(selector?: LabelSelector | string): T[];
  /** A cluster-scoped object, or "namespace/name". */
  get(key: string): T | undefined;
  namespace(namespace: string): NamespaceLister<T>;
}

export interface NamespaceLister<T extends KubeObject> {
  list(selector?: LabelSelector | string): T[];
  get(name: string): T | undefined;
}

export function createLister<T extends KubeObject>(indexer: Indexer<T>): Lister<T> {
  const select = (objects: T[], selector?: LabelSelector | string) =>
    selector === undefined
      ? objects
      : objects.filter((object) => matchLabels(selector, object.metadata?.labels));
  return {
    list: (selector) => select(indexer.list(), selector),
    get: (key) => indexer.get(key),
    namespace: (namespace) => ({
      list: (selector) => select(indexer.byIndex(namespaceIndex, namespace), selector),
      get: (name) => indexer.get(namespace === "" ? name : `${namespace}/${name}`),
    }),
  };
}
