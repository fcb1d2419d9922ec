import { resolve } from "node:path";
import type { SchemaResource, StandardJsonSchema } from "@operator-path/client";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceSubresourceScale,
  JSONSchemaProps,
} from "@operator-path/client/types";
import type { OutputFile } from "../command/files.ts";
import { isGroup, label } from "../crd/check-definition.ts";
import type { Schema } from "../schema/schema.ts";
import { emitYaml, type Json } from "../yaml/emit.ts";
import type { JsonSchema, ReportField } from "./json-schema.ts";
import { structuralSchema } from "./structural-schema.ts";
import { reportTransforms } from "./transforms.ts";
import { zodOptions } from "./zod-options.ts";

/** A schema that cannot become a CustomResourceDefinition. The message names each field and what to do. */
export class SchemaError extends Error {
  override name = "SchemaError";
}

/** The parts of a CustomResourceDefinition besides the names and the schema of the resource. */
export interface DefinitionOptions {
  /** The name in `kubectl get memcached`. Default: the kind in lower case. */
  readonly singular?: string | undefined;
  /** Short names, as in `kubectl get mc`. */
  readonly shortNames?: readonly string[] | undefined;
  /** Groups of resources, as in `kubectl get all`. */
  readonly categories?: readonly string[] | undefined;
  /**
   * Whether status is a subresource, which separates writes of status from writes of spec. Default: if there
   * is a status.
   */
  readonly status?: boolean | undefined;
  /** The paths at which `kubectl scale` and a HorizontalPodAutoscaler find the replicas. */
  readonly scale?: CustomResourceSubresourceScale | undefined;
  /** Columns of `kubectl get` after the name. Default: the age. */
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the CustomResourceDefinition of a resource from `defineResource`. It has one version, which is
 * served and stored. The server checks everything that JSON Schema can express. Refinements run only in your
 * process.
 *
 * @param resource a resource whose schema implements Standard JSON Schema (zod does since 4.2)
 * @throws SchemaError if a name is invalid, or if Kubernetes cannot express the schema of a field, or a
 * transform changes its value; the message has a line for each of them
 */
export function customResourceDefinition<S extends StandardJsonSchema>(
  resource: SchemaResource<S>,
  options: DefinitionOptions = {},
): CustomResourceDefinition {
  const { group, version, kind, plural, namespaced } = resource;
  const openAPIV3Schema = schemaOf(resource);
  const { singular = kind.toLowerCase(), shortNames, categories, scale, labels, annotations } = options;
  const { status = openAPIV3Schema.properties?.status !== undefined } = options;
  const columns = options.additionalPrinterColumns;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
    },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(shortNames && { shortNames: [...shortNames] }),
        ...(categories && { categories: [...categories] }),
      },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: openAPIV3Schema as JSONSchemaProps },
          ...(columns && { additionalPrinterColumns: [...columns] }),
          ...((status || scale) && {
            subresources: { ...(status && { status: {} }), ...(scale && { scale }) },
          }),
        },
      ],
    },
  };
}

/**
 * Returns the file of a CustomResourceDefinition, with the name and form that the generator `crd` uses:
 * `<group>_<plural>.yaml`. Write it with `writeFiles`, or compare it with the file on disk with `staleFiles`.
 *
 * @param folder relative to the working directory
 */
export function definitionFile(definition: CustomResourceDefinition, folder: string): OutputFile {
  const { group, names } = definition.spec;
  const text = `---\n${emitYaml(definition as unknown as Json)}`;
  return { path: resolve(folder, `${group}_${names.plural}.yaml`), text };
}

/** The only fields of metadata that a CustomResourceDefinition may check. */
const checkedMetadata = ["name", "generateName"];

function schemaOf(resource: SchemaResource<StandardJsonSchema>): Schema {
  const problems: string[] = [];
  const paths = new Set<string>();
  const report: ReportField = (path, message, suggestion) => {
    paths.add(path);
    problems.push(`  ${path || "the object"}: ${message}: ${suggestion}`);
  };
  checkNames(resource, report);
  const input = structuralSchema(documentOf(resource, "input"), report);
  const { type, properties, required = [], ...rest } = input;
  if (resource.schema["~standard"].jsonSchema.output !== undefined) {
    reportTransforms(input, documentOf(resource, "output"), new Set(paths), report);
  }
  if (type !== "object") report("", "the schema is not that of an object", "give it fields, such as spec");
  if (required.includes("status")) {
    report("status", "a new object has no status, but the schema requires one", "make it optional");
  }
  for (const field of Object.keys(properties?.metadata?.properties ?? {})) {
    if (checkedMetadata.includes(field)) continue;
    report(
      `metadata.${field}`,
      "API servers check this field themselves",
      `leave it out: a schema may have ${checkedMetadata.join(" and ")}`,
    );
  }
  if (problems.length > 0) {
    const what = `the schema of ${resource.kind} (${resource.group}/${resource.version}) cannot become a CustomResourceDefinition`;
    throw new SchemaError(`${what}:\n${[...new Set(problems)].join("\n")}`);
  }
  const fields = required.filter((name) => !["apiVersion", "kind", "metadata"].includes(name));
  return {
    ...rest,
    type: "object",
    properties: {
      ...properties,
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: properties?.metadata ?? { type: "object" },
    },
    ...(fields.length > 0 && { required: fields }),
  };
}

/** Reports names that a server would reject. Names also become parts of paths. */
function checkNames({ group, version, kind, plural }: SchemaResource, report: ReportField): void {
  const lower = "use lower-case letters, digits and -";
  if (!isGroup(group))
    report(
      "group",
      `${JSON.stringify(group)} is not a DNS name with a dot`,
      "use one such as cache.example.com",
    );
  if (!label.test(version))
    report("version", `${JSON.stringify(version)} is not a version`, "use one such as v1alpha1");
  if (!label.test(plural)) report("plural", `${JSON.stringify(plural)} is not the name of a resource`, lower);
  if (!label.test(kind.toLowerCase()))
    report("kind", `${JSON.stringify(kind)} is not a kind`, "use letters, digits and -");
}

/** @throws SchemaError if the schema's library cannot write it as JSON Schema */
function documentOf(
  { schema, kind }: SchemaResource<StandardJsonSchema>,
  side: "input" | "output",
): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new SchemaError(
      `the schema of ${kind} is of ${vendor}, and has no ~standard.jsonSchema: use a version that implements Standard JSON Schema (zod 4.2 or later)`,
    );
  }
  const libraryOptions = vendor === "zod" ? { ...zodOptions } : undefined;
  try {
    const write = jsonSchema[side] ?? jsonSchema.input;
    return write({ target: "draft-2020-12", libraryOptions });
  } catch (error) {
    const { message } = error as Error;
    throw new SchemaError(
      `the schema of ${kind} cannot be written as JSON Schema: ${vendor} says: ${message}`,
      {
        cause: error,
      },
    );
  }
}
