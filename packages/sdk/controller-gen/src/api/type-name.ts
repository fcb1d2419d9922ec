import type { TSTypeName } from "oxc-parser";
import { closest } from "../problem.ts";
import { kubernetesTypeKey, kubernetesTypeNames } from "../schema/kubernetes-types.ts";
import { type Project, resolveImport } from "../source/project.ts";
import type { Declaration, SourceFile } from "../source/source-file.ts";

/** The meaning of a type's name. */
export type NamedType =
  | { readonly kind: "local"; readonly declaration: Declaration }
  /** A type such as `int32`: a JSON type and a format. */
  | {
      readonly kind: "builtin";
      readonly type: string;
      readonly format?: string;
      readonly dangerous?: boolean;
    }
  | { readonly kind: "kubernetes"; readonly key: string; readonly name: string }
  /** The base of every Kubernetes object. */
  | { readonly kind: "kubeObject" }
  /** A list of objects. It has no schema. */
  | { readonly kind: "list" }
  | { readonly kind: "unknown"; readonly message: string; readonly suggestion: string };

export const typesModule = "@operator-path/controller-gen/types";

/** Modules whose types controller-gen knows by name. */
const knownModules = new Set([typesModule, "@operator-path/client", "@operator-path/controller-runtime"]);

const builtins: Readonly<Record<string, Extract<NamedType, { kind: "builtin" }>>> = {
  int: { kind: "builtin", type: "integer" },
  int8: { kind: "builtin", type: "integer" },
  int16: { kind: "builtin", type: "integer" },
  int32: { kind: "builtin", type: "integer", format: "int32" },
  int64: { kind: "builtin", type: "integer", format: "int64" },
  uint: { kind: "builtin", type: "integer" },
  uint8: { kind: "builtin", type: "integer" },
  uint16: { kind: "builtin", type: "integer" },
  uint32: { kind: "builtin", type: "integer", format: "int32" },
  uint64: { kind: "builtin", type: "integer", format: "int64" },
  float32: { kind: "builtin", type: "number", dangerous: true },
  float64: { kind: "builtin", type: "number", dangerous: true },
  Bytes: { kind: "builtin", type: "string", format: "byte" },
};

/** TypeScript's global types, with what to use instead. */
const globals: Readonly<Record<string, string>> = {
  Date: `use Time from ${typesModule}, which is a string on the wire`,
  Uint8Array: `use Bytes from ${typesModule}, which is base64 on the wire`,
  Buffer: `use Bytes from ${typesModule}, which is base64 on the wire`,
  Map: "use Record<string, …>",
  Set: "use a list with +listType=set",
  Object: `use RawExtension from ${typesModule}`,
  Partial: "write the interface out",
  Required: "write the interface out",
  Readonly: "write the type without it",
  Pick: "write the interface out",
  Omit: "write the interface out",
  Exclude: "write the union out",
  Extract: "write the union out",
  NonNullable: "write the type without it",
};

/** Returns a type's name as in the source: `a.b` for a qualified name. */
export function textOf(name: TSTypeName): string {
  if (name.type === "Identifier") return name.name;
  return name.type === "TSQualifiedName" ? `${textOf(name.left)}.${name.right.name}` : "this";
}

/** Finds the meaning of a name. Follows imports and re-exports of relative files. */
export function findType(name: string, file: SourceFile, project: Project): NamedType {
  const declaration = file.declarations.get(name);
  if (declaration !== undefined) return { kind: "local", declaration };
  const imported = file.imports.get(name);
  if (imported !== undefined) return findImported(imported, file, project, new Set());
  if (Object.hasOwn(globals, name)) return unknown(`${name} has no schema`, globals[name] ?? "");
  if (isKnownName(name)) {
    return unknown(`${name} is not imported`, `import type { ${name} } from "${typesModule}"`);
  }
  const near = closest(name, [...file.declarations.keys(), ...file.imports.keys(), ...knownNames()]);
  return unknown(
    `there is no type ${name}`,
    near === undefined ? "declare it in this file, or import it" : `did you mean ${near}?`,
  );
}

function findImported(
  { module, name }: { module: string; name: string },
  file: SourceFile,
  project: Project,
  seen: Set<string>,
): NamedType {
  if (knownModules.has(module)) return findKnown(name, module);
  if (module === "@kubernetes/client-node") {
    const bare = name.replace(/^V\d+(?:(?:alpha|beta)\d+)?/, "");
    return unknown(
      `${name} from client-node has no schema`,
      isKnownName(bare)
        ? `import type { ${bare} } from "${typesModule}"`
        : "declare an interface with the fields that you need",
    );
  }
  if (!module.startsWith(".")) {
    return unknown(
      `${name} comes from ${module}, and controller-gen does not read the types of packages`,
      "declare the type in one of your files",
    );
  }
  const path = resolveImport(file.absolutePath, module);
  const target = project.file(path);
  if (target === undefined)
    return unknown(`${module} does not exist`, "import types from a file that ends in .ts");
  const declaration = target.declarations.get(name);
  if (declaration !== undefined) return { kind: "local", declaration };
  const reExported = target.reExports.get(name) ?? target.imports.get(name);
  if (reExported !== undefined && !seen.has(path)) {
    return findImported(reExported, target, project, seen.add(path));
  }
  const near = closest(name, target.declarations.keys());
  return unknown(
    `${module} has no type ${name}`,
    near === undefined
      ? `it has ${[...target.declarations.keys()].join(", ") || "no types"}`
      : `did you mean ${near}?`,
  );
}

function findKnown(name: string, module: string): NamedType {
  if (name === "KubeObject") return { kind: "kubeObject" };
  if (name === "List" || name === "KubeList") return { kind: "list" };
  const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined;
  if (builtin !== undefined) return builtin;
  const key = kubernetesTypeKey(name);
  if (key !== undefined) return { kind: "kubernetes", key, name };
  const near = closest(name, knownNames());
  return unknown(
    `${name} from ${module} has no schema`,
    near === undefined ? "declare an interface with the fields that you need" : `did you mean ${near}?`,
  );
}

function isKnownName(name: string): boolean {
  return Object.hasOwn(builtins, name) || name === "KubeObject" || kubernetesTypeKey(name) !== undefined;
}

function knownNames(): string[] {
  return ["KubeObject", ...Object.keys(builtins), ...kubernetesTypeNames()];
}

function unknown(message: string, suggestion: string): NamedType {
  return { kind: "unknown", message, suggestion };
}
