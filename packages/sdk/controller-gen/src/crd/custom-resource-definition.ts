import type { Api, ApiKind } from "../api/api.ts";
import type { Marker } from "../markers/definition.ts";
import type { Report } from "../problem.ts";
import type { Schema } from "../schema/schema.ts";
import { controllerToolsVersion } from "../version.ts";
import type { Json } from "../yaml/emit.ts";
import { truncateDescriptions } from "./descriptions.ts";
import { pluralize } from "./plural.ts";

/** Names and scope of a resource (apiextensions/v1 CustomResourceDefinitionNames). */
export interface ResourceNames {
  categories?: string[];
  kind: string;
  listKind: string;
  plural: string;
  shortNames?: string[];
  singular: string;
}

interface Version {
  name: string;
  schema: { openAPIV3Schema: Schema };
  served: boolean;
  storage: boolean;
  additionalPrinterColumns?: Json[];
  deprecated?: boolean;
  deprecationWarning?: string;
  selectableFields?: Json[];
  subresources?: Record<string, Json>;
}

/** A CustomResourceDefinition before it becomes a manifest. */
export interface CustomResourceDefinition {
  /** `<plural>.<group>` */
  readonly name: string;
  readonly group: string;
  readonly names: ResourceNames;
  readonly scope: string;
  readonly annotations: Record<string, string>;
  readonly labels: Record<string, string>;
  /** Sorted by name. */
  readonly versions: readonly Version[];
}

/** Groups the versions of each kind: those with the same group and kind. */
export function groupKinds(kinds: readonly ApiKind[]): ApiKind[][] {
  const groups = new Map<string, ApiKind[]>();
  for (const kind of kinds) {
    const key = `${kind.kind}.${kind.group}`;
    groups.set(key, [...(groups.get(key) ?? []), kind]);
  }
  return [...groups.values()];
}

/**
 * Returns the CustomResourceDefinition of a kind, or undefined if it has no versions or skips all of them.
 *
 * @param versions all versions of one kind
 * @param maxDescLen the maximum length of descriptions in bytes; 0 omits them, undefined keeps them whole
 */
export function customResourceDefinition(
  versions: readonly ApiKind[],
  api: Api,
  maxDescLen: number | undefined,
  report: Report,
): CustomResourceDefinition | undefined {
  const [first] = versions;
  if (first === undefined) return undefined;
  const { group, kind } = first;
  const plural = pluralize(kind).toLowerCase();
  const definition = {
    group,
    names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() } as ResourceNames,
    scope: "Namespaced",
    annotations: { "controller-gen.kubebuilder.io/version": controllerToolsVersion } as Record<
      string,
      string
    >,
    labels: {} as Record<string, string>,
  };
  const described: Version[] = [];
  for (const each of versions) {
    const version = {
      name: each.version,
      schema: { openAPIV3Schema: rootSchema(each, api, maxDescLen, report) },
      served: true,
      storage: false,
    };
    const skipped = each.markers.some((marker) => applyToVersion(marker, version, definition, each, report));
    if (!skipped) described.push(version);
  }
  if (described.length === 0) return undefined;
  described.sort((a, b) => (a.name < b.name ? -1 : 1));
  const place = { file: first.declaration.file, offset: first.declaration.offset };
  const stored = described.filter(({ storage }) => storage);
  if (described.length === 1 && described[0] !== undefined) described[0].storage = true;
  else if (stored.length !== 1) {
    const names = (stored.length === 0 ? described : stored).map(({ name }) => name).join(", ");
    report(
      place,
      stored.length === 0
        ? `${kind} has the versions ${names}, but no storage version`
        : `${kind} has several storage versions: ${names}`,
      "put +kubebuilder:storageversion on exactly one of them",
    );
  }
  if (!described.some(({ served }) => served)) report(place, `no version of ${kind} is served`);
  return { ...definition, name: `${definition.names.plural}.${group}`, versions: described };
}

/** Returns the manifest of a CustomResourceDefinition. */
export function definitionManifest(definition: CustomResourceDefinition): Json {
  const { annotations, labels, name, group, names, scope, versions } = definition;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { annotations, name, ...(Object.keys(labels).length === 0 ? {} : { labels }) },
    spec: { group, names: names as unknown as Json, scope, versions: versions as unknown as Json },
  };
}

function rootSchema(
  { declaration }: ApiKind,
  api: Api,
  maxDescLen: number | undefined,
  report: Report,
): Schema {
  try {
    const schema = api.flatSchemaOf(declaration);
    return maxDescLen === undefined ? schema : truncateDescriptions(schema, maxDescLen);
  } catch (error) {
    // Deeply nested types exhaust the stack.
    if (!(error instanceof RangeError)) throw error;
    const { file, offset, name } = declaration;
    report({ file, offset }, `the types within ${name} are nested too deeply`, "declare flatter types");
    return {};
  }
}

/** Applies a marker to a version and its definition. Returns true if the marker skips the version. */
function applyToVersion(
  { definition: { name }, value, offset }: Marker,
  version: Version,
  definition: {
    names: ResourceNames;
    scope: string;
    annotations: Record<string, string>;
    labels: Record<string, string>;
  },
  { declaration: { file } }: ApiKind,
  report: Report,
): boolean {
  const fields = value as Record<string, never>;
  const subresources = (): Record<string, Json> => {
    version.subresources ??= {};
    return version.subresources;
  };
  switch (name) {
    case "kubebuilder:skipversion":
      return true;
    case "kubebuilder:subresource:status":
      subresources().status = {};
      break;
    case "kubebuilder:subresource:scale": {
      const { specpath, statuspath, selectorpath } = fields;
      subresources().scale = {
        labelSelectorPath: selectorpath,
        specReplicasPath: specpath,
        statusReplicasPath: statuspath,
      };
      break;
    }
    case "kubebuilder:printcolumn": {
      // controller-tools writes an empty `subresources` if there are printer columns.
      subresources();
      const { name: column, type, JSONPath: jsonPath, description, format, priority } = fields;
      version.additionalPrinterColumns = [
        ...(version.additionalPrinterColumns ?? []),
        withoutEmpty({ name: column, type, jsonPath, description, format, priority }, [
          "name",
          "type",
          "jsonPath",
        ]),
      ];
      break;
    }
    case "kubebuilder:resource": {
      const { path, singular, shortName, categories, scope } = fields as Record<string, unknown>;
      if (path) definition.names.plural = String(path);
      if (singular) definition.names.singular = String(singular);
      if (Array.isArray(shortName) && shortName.length > 0) definition.names.shortNames = shortName;
      if (Array.isArray(categories) && categories.length > 0) definition.names.categories = categories;
      definition.scope = String(scope || "Namespaced");
      if (definition.scope !== "Namespaced" && definition.scope !== "Cluster") {
        report(
          { file, offset },
          `+${name}: there is no scope ${definition.scope}`,
          "use Namespaced or Cluster",
        );
      }
      break;
    }
    case "kubebuilder:storageversion":
      version.storage = true;
      break;
    case "kubebuilder:unservedversion":
      version.served = false;
      break;
    case "kubebuilder:deprecatedversion":
      version.deprecated = true;
      if (fields.warning !== undefined) version.deprecationWarning = fields.warning;
      break;
    case "kubebuilder:selectablefield":
      version.selectableFields = [...(version.selectableFields ?? []), { jsonPath: fields.JSONPath }];
      break;
    case "kubebuilder:metadata":
      for (const key of ["annotations", "labels"] as const) {
        for (const pair of (fields[key] ?? []) as string[]) {
          const equals = pair.indexOf("=");
          if (equals === -1) report({ file, offset }, `+${name}: ${pair} is not of the form key=value`);
          else definition[key][pair.slice(0, equals)] = pair.slice(equals + 1);
        }
      }
  }
  return false;
}

/** Removes empty values, except those of the required keys. */
function withoutEmpty(object: Record<string, Json | undefined>, required: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([key, value]) => required.includes(key) || (value !== undefined && value !== "" && value !== 0),
    ),
  ) as Json;
}
