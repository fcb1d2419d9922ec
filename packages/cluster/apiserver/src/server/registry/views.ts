import { groupVersion, type ResourceType } from "../types/resource-type.ts";
import type { KindLookup } from "./strategy.ts";
import type { View } from "./view.ts";

/** Returns the view of a type. @param storageVersion the stored apiVersion of the kind */
export function createView(type: ResourceType, storageVersion: string, kindOf: KindLookup): View {
  const apiVersion = groupVersion(type);
  // Custom resources have the field order of an unstructured map, built-in kinds that of their Go structs.
  const head =
    type.custom === undefined
      ? `"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(apiVersion)}`
      : `"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(type.kind)}`;
  const { view } = kindOf(type);
  if (view !== undefined) return { type, head, ...view };
  return {
    type,
    head,
    ready: () => undefined,
    object({ object }) {
      return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
    },
    body: (stored) => stored.body(),
    toStorage: (object) => ({ ...object, apiVersion: storageVersion }),
  };
}

/**
 * Returns a function from a type to its view, which is cached. A changed CustomResourceDefinition has new
 * types.
 */
export function createViews(
  types: () => readonly ResourceType[],
  kindOf: KindLookup,
): (type: ResourceType) => View {
  const views = new WeakMap<ResourceType, View>();
  return (type) => {
    let view = views.get(type);
    if (view === undefined) {
      const { group, kind } = type;
      const stored =
        types().find((other) => other.group === group && other.kind === kind && other.storage) ?? type;
      view = createView(type, groupVersion(stored), kindOf);
      views.set(type, view);
    }
    return view;
  };
}
