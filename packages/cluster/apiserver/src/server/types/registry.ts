import type { RawSchema, Schema } from "../../apimachinery/schema/schema.ts";
import { createSchemaResolver } from "../../apimachinery/schema/schema.ts";
import { type Definitions, kubernetesDefinitions, readColumns, readKinds } from "./data.ts";
import type { ColumnDefinition, ResourceType } from "./resource-type.ts";

/**
 * The types that the server knows: the served built-in ones, and those of the added definitions. Type data is
 * read at its first use.
 */
export interface TypeRegistry {
  /**
   * Returns all served types: built-in ones in the order of a real server's discovery, then custom ones by
   * name.
   */
  resources(): readonly ResourceType[];
  find(group: string, version: string, plural: string): ResourceType | undefined;
  /** Returns whether a group-version has built-in types. */
  isBuiltIn(group: string, version: string): boolean;
  /** Returns whether Kubernetes has a subresource that is not served here, although its resource is. */
  isUnserved(subresource: string): boolean;
  /**
   * Returns the schema of a kind with resolved references. Those of custom kinds include apiVersion, kind and
   * metadata. Unserved built-in kinds have one too, and so have bodies of subresources (Scale, Eviction,
   * TokenRequest).
   */
  schema(group: string, version: string, kind: string): Schema | undefined;
  /** Returns an OpenAPI definition by its full name: `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`. */
  definition(name: string): RawSchema | undefined;
  /** Returns the print columns of a built-in resource on a real server, or undefined for custom resources. */
  columns(type: ResourceType): readonly ColumnDefinition[] | undefined;
  /**
   * Serves the types of a CustomResourceDefinition. Replaces its previous ones.
   * @param definition its name: `<plural>.<group>`
   */
  addCustomTypes(definition: string, types: readonly ResourceType[]): void;
  removeCustomTypes(definition: string): void;
  /** Increases with every change of `resources()`. Values derived from an older one are outdated. */
  readonly revision: number;
  /** Calls back after every change, in the same tick. @returns a function that ends this */
  onChange(listener: () => void): () => void;
}

/** The built-in types, and how schemas of custom kinds are completed. */
export interface ServedTypes {
  /** Returns the built-in types in the order of a real server's discovery. Called once, at the first use. */
  builtIn(): ResourceType[];
  /** Subresources that are not served although their resource is: `pods/resize`. */
  readonly unservedSubresources: readonly string[];
  /** Returns the published schema of a custom kind. @param schema from the definition's version */
  customSchema(schema: RawSchema | undefined, definitions: Pick<Definitions, "raw">): RawSchema;
}

export function createTypeRegistry(served: ServedTypes): TypeRegistry {
  const definitions = kubernetesDefinitions();
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
    // Versions of a definition stay in order of priority, because sort() is stable.
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
