import type { KubeObject } from "@operator-path/client";
import { createClient, defineResource, KubeConfig, pods } from "@operator-path/client";
import { createSharedInformer, type EventHandler, keyOf } from "@operator-path/informers";
import type { OnObject, StartSubject } from "./subject.ts";

const caches = defineResource({
  group: "bench.example.com",
  version: "v1",
  kind: "Cache",
  plural: "caches",
  namespaced: true,
});

export interface Ours {
  readonly store: "parsed" | "lazy" | "metadata";
  readonly watchList: boolean;
  /** The handler: `changed`, which parses nothing, or `added` and `updated`, which receive objects. */
  readonly handler: "changed" | "objects";
  /** Milliseconds without access after which an object is compressed. Default: the informer's. */
  readonly coldAfterMs?: number;
}

export function ours({ handler, ...options }: Ours): StartSubject {
  return (resource, onObject) => {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromDefault();
    const informer = createSharedInformer<KubeObject>(
      createClient(kubeConfig),
      resource === "pods" ? pods : caches,
      options,
    );
    informer.addEventHandler(handler === "changed" ? byChange(onObject) : byObject(onObject));
    informer.run(new AbortController().signal);
    return { informer, synced: informer.waitForSync() };
  };
}

function byChange(onObject: OnObject): EventHandler<KubeObject> {
  return { changed: ({ key, resourceVersion }) => onObject(key, resourceVersion) };
}

function byObject(onObject: OnObject): EventHandler<KubeObject> {
  const pass = (object: KubeObject) => onObject(keyOf(object), object.metadata?.resourceVersion ?? "");
  return { added: pass, updated: (_, object) => pass(object) };
}
