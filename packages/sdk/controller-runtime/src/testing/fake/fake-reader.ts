import { type Frozen, type KubeObject, type Resource, UsageError } from "@operator-path/client";
import { matchLabels } from "@operator-path/informers";
import { isMetadataOnly, partialOf } from "../../client/metadata-only.ts";
import type { ListOptions, Reader } from "../../client/reader.ts";
import type { FakeStore } from "./fake-store.ts";
import type { FakeIndex } from "./options.ts";

export function createFakeReader(store: FakeStore, indexes: readonly FakeIndex[]): Reader {
  return {
    // The objects stored under a resource have its type.
    async get<T extends KubeObject>(resource: Resource<T>, key: { namespace?: string; name: string }) {
      if (resource.namespaced && !key.namespace) {
        throw new UsageError(
          `a ${resource.kind} is namespaced: set the namespace in the key of ${JSON.stringify(key.name)}`,
        );
      }
      return view(resource, store.get(resource, key)) as Frozen<T>;
    },
    async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}) {
      const objects = select(store, indexes, resource, options).map((object) => view(resource, object));
      return (options.limit ? objects.slice(0, options.limit) : objects) as Frozen<T>[];
    },
  };
}

/** @throws RangeError when a field has no index */
export function select(
  store: FakeStore,
  indexes: readonly FakeIndex[],
  resource: Resource,
  { namespace, labels, labelSelector, fields = {} }: ListOptions,
): KubeObject[] {
  const conditions = Object.entries(fields).map(([field, value]) => {
    const index = indexOf(indexes, resource, field);
    return (object: KubeObject) => index(object).includes(value);
  });
  return store
    .list(resource)
    .filter(
      (object) =>
        (!resource.namespaced || !namespace || object.metadata.namespace === namespace) &&
        matchLabels({ matchLabels: { ...labels } }, object.metadata.labels) &&
        matchLabels(labelSelector, object.metadata.labels) &&
        conditions.every((holds) => holds(object)),
    );
}

function indexOf(indexes: readonly FakeIndex[], resource: Resource, field: string): FakeIndex["index"] {
  if (field === "metadata.name") return ({ metadata }) => [metadata?.name ?? ""];
  if (field === "metadata.namespace") return ({ metadata }) => [metadata?.namespace ?? ""];
  const found = indexes.find(
    (index) =>
      index.field === field &&
      index.resource.group === resource.group &&
      index.resource.plural === resource.plural,
  );
  if (found) return found.index;
  throw new RangeError(
    `the fake client has no index ${JSON.stringify(field)} of ${resource.plural}: call createFakeClient({ indexes: [{ resource, field, index }] })`,
  );
}

function view(resource: Resource, object: KubeObject): KubeObject {
  if (!isMetadataOnly(resource)) return object;
  return Object.freeze(partialOf(resource, object));
}
