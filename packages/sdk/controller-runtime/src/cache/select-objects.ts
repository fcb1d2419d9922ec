import type { Frozen, KubeObject, LabelSelector } from "@operator-path/client";
import { type IndexFunction, matchLabels, type SharedInformer } from "@operator-path/informers";
import type { ListOptions } from "../client/reader.ts";

/**
 * Returns the objects of one informer that the options select. Uses an index when `fields` is set.
 *
 * @throws RangeError when a field is neither indexed nor metadata.name or metadata.namespace
 */
export function selectObjects<T extends KubeObject>(
  informer: SharedInformer<T>,
  indexes: ReadonlyMap<string, IndexFunction<T>>,
  options: ListOptions,
): Frozen<T>[] {
  const { namespace = "", labels, labelSelector, fields = {} } = options;
  const selectors: (LabelSelector | string)[] = [
    ...(labels ? [{ matchLabels: { ...labels } }] : []),
    ...(labelSelector === undefined ? [] : [labelSelector]),
  ];
  const [field, ...otherFields] = Object.entries(fields);
  if (field) {
    return byField(informer, indexes, field)
      .filter((object) => otherFields.every((other) => has(indexes, object, other)))
      .filter(({ metadata }) => namespace === "" || metadata?.namespace === namespace)
      .filter(({ metadata }) => selectors.every((selector) => matchLabels(selector, metadata?.labels)));
  }
  const [selector, ...others] = selectors;
  const lister = namespace === "" ? informer.lister : informer.lister.namespace(namespace);
  return lister
    .list(selector)
    .filter(({ metadata }) => others.every((other) => matchLabels(other, metadata?.labels)));
}

type Field = [name: string, value: string];

/** Fields that every object has. */
const builtIn: Record<string, (object: KubeObject) => string> = {
  "metadata.name": ({ metadata }) => metadata?.name ?? "",
  "metadata.namespace": ({ metadata }) => metadata?.namespace ?? "",
};

function byField<T extends KubeObject>(
  informer: SharedInformer<T>,
  indexes: ReadonlyMap<string, IndexFunction<T>>,
  field: Field,
): Frozen<T>[] {
  const [name, value] = field;
  if (indexes.has(name)) return informer.indexer.byIndex(name, value) as Frozen<T>[];
  if (name === "metadata.namespace") return informer.lister.namespace(value).list();
  return informer.lister.list().filter((object) => has(indexes, object, field));
}

function has<T extends KubeObject>(
  indexes: ReadonlyMap<string, IndexFunction<T>>,
  object: Frozen<T>,
  [name, value]: Field,
): boolean {
  const index = indexes.get(name);
  if (index) return valuesOf(index, object as T).includes(value);
  const known = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  if (known) return known(object) === value;
  throw noIndex(name, [...indexes.keys()]);
}

/**
 * As in the store: an index function that throws, which the store has logged, adds no values for the object.
 */
function valuesOf<T extends KubeObject>(index: IndexFunction<T>, object: T): readonly string[] {
  try {
    return index(object) ?? [];
  } catch {
    return [];
  }
}

/** Checks the fields even when there are no objects: an empty list would be a wrong answer. */
export function checkFields(indexes: ReadonlyMap<string, unknown>, { fields = {} }: ListOptions): void {
  for (const name of Object.keys(fields)) {
    if (!indexes.has(name) && !Object.hasOwn(builtIn, name)) throw noIndex(name, [...indexes.keys()]);
  }
}

function noIndex(name: string, known: string[]): RangeError {
  const others = known.length > 0 ? ` (there are: ${known.join(", ")})` : "";
  return new RangeError(
    `the cache has no index ${JSON.stringify(name)}${others}: add it with indexField(resource, ${JSON.stringify(name)}, …) before the list`,
  );
}
