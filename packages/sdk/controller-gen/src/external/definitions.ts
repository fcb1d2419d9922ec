import { parseAllDocuments } from "yaml";
import { OptionError } from "../option-error.ts";

/** A structural schema as a CustomResourceDefinition has it (apiextensions/v1 JSONSchemaProps): what types are made of. */
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
  /** Those that are served. */
  readonly versions: readonly { readonly name: string; readonly schema: ExternalSchema }[];
}

interface Manifest {
  readonly apiVersion?: string;
  readonly kind?: string;
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

/**
 * Reads the CustomResourceDefinitions of a YAML or JSON file, also those of a List (`kubectl get crd -o yaml`). Other
 * objects, such as the Deployments of an install.yaml, are skipped.
 *
 * @param file for messages
 * @throws OptionError when the file is not YAML, or has no CustomResourceDefinition of apiextensions.k8s.io/v1
 */
export function readDefinitions(text: string, file: string): ExternalDefinition[] {
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
  return definitions.map(({ spec }) => {
    const { group, scope, names, versions } = spec ?? {};
    if (!group || !names?.kind || !names.plural || !versions)
      throw new OptionError(
        `${file} has a CustomResourceDefinition without spec.group, spec.names or spec.versions`,
      );
    return {
      group,
      kind: names.kind,
      plural: names.plural,
      namespaced: scope === "Namespaced",
      versions: versions
        .filter(({ served }) => served !== false)
        .map(({ name, schema }) => ({ name, schema: schema?.openAPIV3Schema ?? {} })),
    };
  });
}
