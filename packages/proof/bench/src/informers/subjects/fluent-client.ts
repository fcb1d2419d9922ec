import { GenericKind, K8s, kind, RegisterKind, WatchEvent } from "kubernetes-fluent-client";
import type { StartSubject } from "./subject.ts";

class Cache extends GenericKind {}
RegisterKind(Cache, { group: "bench.example.com", version: "v1", kind: "Cache", plural: "caches" });

/** kubernetes-fluent-client's watcher, which lists, keeps what it has seen, and watches. */
export const fluentClient: StartSubject = async (resource, onObject) => {
  const pass = ({
    metadata,
  }: {
    metadata?: { namespace?: string; name?: string; resourceVersion?: string };
  }) => onObject(`${metadata?.namespace}/${metadata?.name}`, metadata?.resourceVersion ?? "");
  const watcher = resource === "pods" ? K8s(kind.Pod).Watch(pass) : K8s(Cache).Watch(pass);
  for (const event of [WatchEvent.NETWORK_ERROR, WatchEvent.DATA_ERROR, WatchEvent.LIST_ERROR]) {
    watcher.events.on(event, (error) => console.error(`kubernetes-fluent-client: ${event}: ${error}`));
  }
  return { informer: watcher, synced: watcher.start() };
};
