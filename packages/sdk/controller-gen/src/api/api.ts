import type { Marker } from "../markers/definition.ts";
import { findMarker } from "../markers/registry.ts";
import type { Report } from "../problem.ts";
import { type DeclarationContext, declarationSchema, markersOfType } from "../schema/declaration-schema.ts";
import { createFlattenCache, type FlattenReport, flatten } from "../schema/flatten.ts";
import { isList, isRoot } from "../schema/heritage.ts";
import { kubernetesSchema, objectMetaKey } from "../schema/kubernetes-types.ts";
import type { Schema } from "../schema/schema.ts";
import { keyOf } from "../schema/type-schema.ts";
import { type Project, typesFile } from "../source/project.ts";
import type { Declaration } from "../source/source-file.ts";
import { type ApiPackage, readPackage } from "./api-package.ts";

export interface ApiOptions {
  /** Whether floats are allowed. Default false. */
  readonly allowDangerousTypes?: boolean;
  /** Whether the schema of an embedded ObjectMeta lists its fields. Default false: any object. */
  readonly generateEmbeddedObjectMeta?: boolean;
}

/** The packages, kinds and schemas of a project. */
export interface Api {
  readonly packages: readonly ApiPackage[];
  /** Sorted by kind, group and version. */
  readonly kinds: readonly ApiKind[];
  /** Returns the schema of a declaration. It contains references. */
  schemaOf(declaration: Declaration): Schema;
  /** Returns the schema of a declaration without references, as a CustomResourceDefinition needs it. */
  flatSchemaOf(declaration: Declaration): Schema;
  /** Returns the author's declaration that a `$ref` names, or undefined for a Kubernetes type. */
  declarationOf(key: string): Declaration | undefined;
}

/** One version of a kind. */
export interface ApiKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly package: ApiPackage;
  readonly declaration: Declaration;
  readonly markers: readonly Marker[];
}

/** Reads all packages and kinds of a project. Checks every marker in it, even on unused types. */
export function readApi(project: Project, options: ApiOptions, report: Report): Api {
  const packages = project.folders
    .map((folder) => readPackage(folder, report))
    .filter(({ skipped }) => !skipped);
  const schemas = new Map<string, Schema>();
  const declarations = new Map<string, Declaration>();
  const cache = createFlattenCache();
  const context: DeclarationContext = {
    project,
    allowDangerousTypes: options.allowDangerousTypes ?? false,
    report,
    schemaOf,
    optionalByDefault: ({ file }) =>
      packages.some((each) => each.optionalByDefault && each.folder.files.includes(file)),
  };

  function schemaOf(declaration: Declaration): Schema {
    const key = keyOf(declaration);
    let schema = schemas.get(key);
    if (schema === undefined) {
      // An alias that refers to itself gets this empty schema.
      schemas.set(key, {});
      declarations.set(key, declaration);
      schema = declarationSchema(declaration, context);
      schemas.set(key, schema);
    }
    return schema;
  }

  function lookUp(key: string): Schema | undefined {
    if (key === objectMetaKey && options.generateEmbeddedObjectMeta === true) return embeddedObjectMeta;
    const declaration = declarationOf(key);
    return declaration === undefined ? kubernetesSchema(key) : schemaOf(declaration);
  }

  function declarationOf(key: string): Declaration | undefined {
    const hash = key.lastIndexOf("#");
    if (hash === -1) return undefined;
    return declarations.get(key) ?? project.file(key.slice(0, hash))?.declarations.get(key.slice(hash + 1));
  }

  function reportFor(declaration: Declaration): FlattenReport {
    const { file, offset, name } = declaration;
    return {
      onConflict: ([a, b]) => report({ file, offset }, `${name}: the types ${a} and ${b} conflict`),
      onLoop: (key) => {
        const at = declarationOf(key) ?? declaration;
        report(
          { file: at.file, offset: at.offset },
          `${at.name} contains itself, but the schema of a CustomResourceDefinition cannot`,
          "use JSONValue for the inner value, or refer to objects by name",
        );
      },
    };
  }

  return {
    packages,
    kinds: packages.flatMap((each) => kindsOf(each, context)).sort(byKind),
    schemaOf,
    declarationOf,
    flatSchemaOf: (declaration) => flatten(schemaOf(declaration), lookUp, reportFor(declaration), cache),
  };
}

function kindsOf(apiPackage: ApiPackage, context: DeclarationContext): ApiKind[] {
  const declarations = apiPackage.folder.files
    .filter(({ path }) => typesFile.test(path))
    .flatMap((file) => [...file.declarations.values()]);
  return declarations.flatMap((declaration): ApiKind[] => {
    const { file, offset, name } = declaration;
    const markers = markersOfType(declaration, context);
    const marked = findMarker(markers, "kubebuilder:object:root");
    if (!isRoot(declaration, context)) {
      if (marked?.value === true && !isList(declaration, context)) {
        const place = { file, offset: marked.offset };
        context.report(
          place,
          `${name} is not a Kubernetes object`,
          `write interface ${name} extends KubeObject`,
        );
      }
      return [];
    }
    if (apiPackage.group === undefined) {
      context.report(
        { file, offset },
        `${name} has no API group`,
        `put +groupName=… into the comment of ${apiPackage.folder.path}/groupversion.info.ts`,
      );
      return [];
    }
    return [
      {
        group: apiPackage.group,
        version: apiPackage.version,
        kind: name,
        package: apiPackage,
        declaration,
        markers,
      },
    ];
  });
}

function byKind(a: ApiKind, b: ApiKind): number {
  const [left, right] = [a, b].map(({ kind, group, version }) => `${kind}.${group}\0${version}`) as [
    string,
    string,
  ];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The fields of metadata that an author may set in an embedded object, such as a Pod template. */
const embeddedObjectMeta: Schema = {
  type: "object",
  properties: {
    annotations: { type: "object", additionalProperties: { type: "string" } },
    finalizers: { type: "array", items: { type: "string" } },
    labels: { type: "object", additionalProperties: { type: "string" } },
    name: { type: "string" },
    namespace: { type: "string" },
  },
};
