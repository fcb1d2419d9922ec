import { createRequire } from "node:module";
import { OptionError } from "../problem.ts";

/** The keywords of a structural schema (apiextensions/v1 JSONSchemaProps) that `typeModules` reads. */
export interface ExternalSchema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ExternalSchema>>;
  readonly required?: readonly string[];
  readonly items?: ExternalSchema;
  readonly additionalProperties?: ExternalSchema | boolean;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
}

/** A CustomResourceDefinition of another project. */
export interface ExternalDefinition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** The served versions. */
  readonly versions: readonly { readonly name: string; readonly schema: ExternalSchema }[];
  /**
   * The definition without the fields that a server adds, such as status and resourceVersion, so it can be
   * created.
   */
  readonly manifest: object;
}

interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly items?: readonly Manifest[];
  readonly spec?: {
    readonly group?: string;
    readonly scope?: string;
    readonly names?: { readonly kind?: string; readonly plural?: string };
    readonly versions?: readonly {
      readonly name: string;
      readonly served?: boolean;
      readonly schema?: { readonly openAPIV3Schema?: ExternalSchema };
    }[];
  };
}

const require = createRequire(import.meta.url);

/** RFC 1035. */
const label = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * Reads the CustomResourceDefinitions in a YAML or JSON file, including those in a List (`kubectl get crd -o
 * yaml`). Skips other objects, such as the Deployments of an install.yaml.
 *
 * @param file the name of the file, for messages
 * @throws OptionError if the file is not YAML, has no CustomResourceDefinition of apiextensions.k8s.io/v1, or
 * contains an invalid name
 */
export function readDefinitions(text: string, file: string): ExternalDefinition[] {
  // Only `types` reads YAML, and loading yaml would take a third of every other command.
  const { parseAllDocuments } = require("yaml") as typeof import("yaml");
  const manifests = parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw new OptionError(`${file} is not YAML: ${error.message.split("\n")[0]}`);
    const manifest = document.toJS() as Manifest | null;
    return manifest?.items ?? (manifest ? [manifest] : []);
  });
  const definitions = manifests.filter(
    ({ apiVersion, kind }) => kind === "CustomResourceDefinition" && apiVersion === "apiextensions.k8s.io/v1",
  );
  if (definitions.length === 0)
    throw new OptionError(
      `${file} has no CustomResourceDefinition of apiextensions.k8s.io/v1: get it with kubectl get crd NAME -o yaml`,
    );
  return definitions.map(({ apiVersion, kind, metadata, spec }) => {
    const { group, scope, names, versions } = spec ?? {};
    if (!group || !names?.kind || !names.plural || !versions)
      throw new OptionError(
        `${file} has a CustomResourceDefinition without spec.group, spec.names or spec.versions`,
      );
    for (const [value, pattern] of [
      [group, /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/],
      [names.kind, /^[A-Za-z][A-Za-z0-9]*$/],
      [names.plural, label],
      ...versions.map(({ name }) => [name, label] as const),
    ] as const) {
      // Names become parts of paths and of code.
      if (!pattern.test(value))
        throw new OptionError(`${file} has the invalid name ${JSON.stringify(value)}`);
    }
    return {
      group,
      kind: names.kind,
      plural: names.plural,
      namespaced: scope === "Namespaced",
      versions: versions
        .filter(({ served }) => served !== false)
        .map(({ name, schema }) => ({ name, schema: schema?.openAPIV3Schema ?? {} })),
      manifest: {
        apiVersion,
        kind,
        metadata: Object.fromEntries(
          Object.entries(metadata ?? {}).filter(([key]) => ["name", "labels", "annotations"].includes(key)),
        ),
        spec,
      },
    };
  });
}
