import type { ConversionContext } from "./apiextensions/conversion/convert.ts";
import { createCustomKind } from "./apiextensions/custom-resource/kind.ts";
import { isCustom } from "./apiextensions/custom-resource-definition.ts";
import { withObjectFields } from "./apiextensions/custom-schema.ts";
import { customResourceDefinitionKind } from "./apiextensions/definition/kind.ts";
import { type BuiltInKind, createBuiltInKind } from "./kinds/built-in-kind.ts";
import { builtInKinds } from "./kinds/built-in-kinds.ts";
import { builtInTypes } from "./kinds/built-in-types.ts";
import type { GrantContext } from "./kinds/rbac/escalation.ts";
import { unservedSubresources } from "./kinds/served.ts";
import type { Kind, KindLookup } from "./server/registry/strategy.ts";
import { readDiscovery, readWarnings } from "./server/types/data.ts";
import { createTypeRegistry, type TypeRegistry } from "./server/types/registry.ts";
import type { ResourceType } from "./server/types/resource-type.ts";

/** Returns a registry of the built-in types, to which CustomResourceDefinitions add theirs. */
export function createServedTypes(): TypeRegistry {
  return createTypeRegistry({
    builtIn: () => builtInTypes(readDiscovery(), readWarnings()),
    unservedSubresources,
    customSchema: withObjectFields,
  });
}

/** Returns the kinds of these types: built-in ones from `kinds`, custom ones from their definitions. */
export function createServedKinds(context: GrantContext & ConversionContext): KindLookup {
  const definitions = { "apiextensions.k8s.io/customresourcedefinitions": customResourceDefinitionKind };
  const builtIn: Readonly<Record<string, BuiltInKind>> = { ...builtInKinds(context), ...definitions };
  const kinds = new WeakMap<ResourceType, Kind>();
  return (type) => {
    let kind = kinds.get(type);
    if (kind === undefined) {
      kind = isCustom(type)
        ? createCustomKind(type, context)
        : createBuiltInKind(type, builtIn[`${type.group}/${type.plural}`] ?? {});
      kinds.set(type, kind);
    }
    return kind;
  };
}
