import type { RawSchema, Schema } from "../../apimachinery/schema/schema.ts";
import { createSchemaResolver } from "../../apimachinery/schema/schema.ts";
import { createDefinitions, type Definitions, readColumns, readKinds } from "./data.ts";
import type { ColumnDefinition, ResourceType } from "./resource-type.ts";

/**
 * The kinds that the server knows: the built-in ones that it serves, and the custom ones of the definitions that were
 * added. Nothing is read from the type data before it is asked for.
 */
export interface TypeRegistry {
  /** All types that are served: built-in ones in the order of a real server's discovery, then custom ones by name. */
  resources(): readonly ResourceType[];
  find(group: string, version: string, plural: string): ResourceType | undefined;
  /** Whether a group-version has built-in types. */
  isBuiltIn(group: string, version: string): boolean;
  /** Whether Kubernetes has a subresource that this server does not serve although it serves the resource. */
  isUnserved(subresource: string): boolean;
  /**
   * The schema of a kind, references followed; for custom kinds with apiVersion, kind and metadata filled in. Built-in
   * kinds have one even if they are not served, as have the bodies of subresources (Scale, Eviction, TokenRequest).
   */
  schema(group: string, version: string, kind: string): Schema | undefined;
  /** A definition by its full name, as it stands in OpenAPI: `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`. */
  definition(name: string): RawSchema | undefined;
  /** Print columns of a built-in resource as a real server states them; undefined for custom resources. */
  columns(type: ResourceType): readonly ColumnDefinition[] | undefined;
  /**
   * Serves the types of a CustomResourceDefinition, in place of those that it had before.
   * @param definition its name: `<plural>.<group>`
   */
  addCustomTypes(definition: string, types: readonly ResourceType[]): void;
  removeCustomTypes(definition: string): void;
  /** Rises with every change of `resources()`: what was derived from an older one is out of date. */
  readonly revision: number;
  /** Calls back after every change, in the same tick. @returns a function that ends it */
  onChange(listener: () => void): () => void;
}

/** What a registry has to know of the kinds: the built-in types, and how schemas of custom kinds are completed. */
export interface ServedTypes {
  /** The built-in types, in the order of a real server's discovery. Called once, when first needed. */
  builtIn(): ResourceType[];
  /** Subresources that are not served although their resource is: `pods/resize`. */
  readonly unservedSubresources: readonly string[];
  /** Returns the schema of a custom kind as the server publishes it. @param schema of the definition's version */
  customSchema(schema: RawSchema | undefined, definitions: Pick<Definitions, "raw">): RawSchema;
}

export function createTypeRegistry(served: ServedTypes): TypeRegistry {
  const definitions = createDefinitions();
  const custom = new Map<string, readonly ResourceType[]>();
  const listeners = new Set<() => void>();
  let builtIn: ResourceType[] | undefined;
  let kinds: Record<string, Record<string, string>> | undefined;
  let columns: Record<string, ColumnDefinition[]> | undefined;
  let all: ResourceType[] | undefined;
  let byKey = new Map<string, ResourceType>();
  let customSchemas = new Map<string, Schema | undefined>();
  let revision = 0;

  function resources(): ResourceType[] {
    if (all !== undefined) return all;
    builtIn ??= served.builtIn();
    const customs = [...custom.values()].flat();
    // Within a definition the versions stay in the order of their priority: sort() is stable.
    customs.sort((a, b) => compareText(a.group, b.group) || compareText(a.plural, b.plural));
    all = [...builtIn, ...customs];
    byKey = new Map(all.map((type) => [`${type.group}/${type.version}/${type.plural}`, type]));
    return all;
  }

  function changed(): void {
    all = undefined;
    customSchemas = new Map();
    revision += 1;
    for (const listener of [...listeners]) listener();
  }

  function customSchema(group: string, version: string, kind: string): Schema | undefined {
    const key = `${group}/${version}/${kind}`;
    if (customSchemas.has(key)) return customSchemas.get(key);
    const type = resources().find(
      (entry) =>
        entry.custom !== undefined &&
        entry.group === group &&
        entry.version === version &&
        entry.kind === kind,
    );
    const schema = type === undefined ? undefined : completeSchema(type.custom?.schema);
    customSchemas.set(key, schema);
    return schema;
  }

  function completeSchema(schema: RawSchema | undefined): Schema | undefined {
    const name = "custom";
    const complete = served.customSchema(schema, definitions);
    return createSchemaResolver((asked) => (asked === name ? complete : definitions.raw(asked)))(name);
  }

  return {
    resources,
    find(group, version, plural) {
      resources();
      return byKey.get(`${group}/${version}/${plural}`);
    },
    isBuiltIn(group, version) {
      return resources().some(
        (type) => type.custom === undefined && type.group === group && type.version === version,
      );
    },
    isUnserved: (subresource) => served.unservedSubresources.includes(subresource),
    schema(group, version, kind) {
      kinds ??= readKinds();
      const groupVersion = `${group}/${version}`;
      const byKind = Object.hasOwn(kinds, groupVersion) ? kinds[groupVersion] : undefined;
      if (byKind !== undefined && Object.hasOwn(byKind, kind)) return definitions.schema(byKind[kind] ?? "");
      return customSchema(group, version, kind);
    },
    definition: definitions.raw,
    columns(type) {
      if (type.custom !== undefined) return undefined;
      columns ??= readColumns();
      return columns[`${type.group}/${type.version}/${type.plural}`];
    },
    addCustomTypes(definition, types) {
      custom.set(definition, types);
      changed();
    },
    removeCustomTypes(definition) {
      if (custom.delete(definition)) changed();
    },
    get revision() {
      return revision;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
