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

export interface CustomResourceDefinition {
  readonly name: string;
  readonly group: string;
  readonly names: ResourceNames;
  readonly scope: string;
  readonly annotations: Record<string, string>;
  readonly labels: Record<string, string>;
  /** By name. */
  readonly versions: readonly Version[];
}

/** Kinds of one group and name, their versions together. */
export function groupKinds(kinds: readonly ApiKind[]): ApiKind[][] {
  const groups = new Map<string, ApiKind[]>();
  for (const kind of kinds) {
    const key = `${kind.kind}.${kind.group}`;
    groups.set(key, [...(groups.get(key) ?? []), kind]);
  }
  return [...groups.values()];
}

/**
 * The CustomResourceDefinition of a kind; undefined when no version is left.
 *
 * @param versions of one kind
 * @param maxDescLen descriptions are cut after so many characters, and left out for 0
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
        ? `${kind} has the versions ${names}, and none is stored`
        : `${kind} is stored in ${names}`,
      "put +kubebuilder:storageversion on one of them",
    );
  }
  if (!described.some(({ served }) => served)) report(place, `no version of ${kind} is served`);
  return { ...definition, name: `${definition.names.plural}.${group}`, versions: described };
}

/** The object as it is applied. */
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
    // The stack has an end.
    if (!(error instanceof RangeError)) throw error;
    const { file, offset, name } = declaration;
    report({ file, offset }, `types within ${name} are nested too deeply`, "declare flatter ones");
    return {};
  }
}

/** Whether the marker leaves the version out. */
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
      // controller-tools writes an empty one where there is none.
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
          "there are Namespaced and Cluster",
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

function withoutEmpty(object: Record<string, Json | undefined>, kept: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([key, value]) => kept.includes(key) || (value !== undefined && value !== "" && value !== 0),
    ),
  ) as Json;
}
