import type { Api, ApiKind } from "../api/api.ts";
import type { DefinedKind } from "../object/resource-module.ts";
import type { Schema } from "../schema/schema.ts";
import { keyOf } from "../schema/type-schema.ts";
import type { Declaration } from "../source/source-file.ts";
import { constraintsOf } from "./constraints.ts";

/** Returns a Markdown page for each group and version, with its kinds and the types that they use. */
export function referencePages(kinds: readonly DefinedKind[], api: Api): { name: string; text: string }[] {
  const pages = new Map<string, { kind: ApiKind; defined: DefinedKind }[]>();
  for (const defined of kinds) {
    for (const kind of defined.versions) {
      if (!defined.definition.versions.some(({ name }) => name === kind.version)) continue;
      const name = `${kind.group}_${kind.version}.md`;
      pages.set(name, [...(pages.get(name) ?? []), { kind, defined }]);
    }
  }
  return [...pages].map(([name, own]) => ({ name, text: pageText(own, api) }));
}

function pageText(kinds: readonly { kind: ApiKind; defined: DefinedKind }[], api: Api): string {
  const [first] = kinds;
  const roots = kinds.map(({ kind }) => kind.declaration);
  const types = reachable(roots, api).filter((declaration) => !roots.includes(declaration));
  const sections = kinds.map(({ kind, defined }) => {
    const { names, scope } = defined.definition;
    const short =
      names.shortNames === undefined ? "" : `, short name ${names.shortNames.map(code).join(", ")}`;
    const intro = `\`${names.plural}.${kind.group}\`, ${scope === "Cluster" ? "cluster-scoped" : "namespaced"}${short}.`;
    return section(kind.declaration, api, `${intro}\n\n`);
  });
  types.sort((a, b) => (a.name < b.name ? -1 : 1));
  return `# ${first?.kind.group}/${first?.kind.version}

<!-- Written by controller-gen from the types. -->

${[...sections, ...types.map((declaration) => section(declaration, api, ""))].join("\n")}`;
}

function section(declaration: Declaration, api: Api, intro: string): string {
  const schema = api.schemaOf(declaration);
  const doc = schema.description === undefined ? "" : `${schema.description}\n\n`;
  const extended = (schema.allOf ?? []).flatMap(({ $ref }) => {
    const base = $ref === undefined ? undefined : api.declarationOf($ref);
    return base === undefined ? [] : [link(base.name)];
  });
  const bases = extended.length === 0 ? "" : `With the fields of ${extended.join(", ")}.\n\n`;
  const limits = constraintsOf(schema);
  const own =
    schema.properties === undefined && limits !== "" ? `${typeText(schema, api)}: ${limits}.\n` : "";
  return `## ${declaration.name}\n\n${intro}${doc}${bases}${own}${fieldTable(schema, api)}`;
}

function fieldTable(schema: Schema, api: Api): string {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return "";
  const required = new Set(schema.required);
  const rows = fields.map(([name, field]) => {
    const description = [cell(field.description ?? ""), constraintsOf(field)]
      .filter((text) => text !== "")
      .join("<br>");
    return `| \`${name}\` | ${typeText(field, api)} | ${required.has(name) ? "yes" : ""} | ${description} |`;
  });
  return `| Field | Type | Required | |\n|-|-|-|-|\n${rows.join("\n")}\n`;
}

function typeText(schema: Schema, api: Api): string {
  if (schema.$ref !== undefined) {
    const declaration = api.declarationOf(schema.$ref);
    return declaration === undefined ? code(schema.$ref.split(".").at(-1) ?? "") : link(declaration.name);
  }
  if (schema.items !== undefined) return `list of ${typeText(schema.items, api)}`;
  if (typeof schema.additionalProperties === "object")
    return `map of ${typeText(schema.additionalProperties, api)}`;
  if (schema.enum !== undefined) return schema.type ?? "any";
  return schema.format ?? schema.type ?? "any";
}

/** Returns the declarations that the roots use, directly or indirectly, in the order of their first use. */
function reachable(roots: readonly Declaration[], api: Api): Declaration[] {
  const found = new Map<string, Declaration>();
  const visit = (declaration: Declaration): void => {
    const key = keyOf(declaration);
    if (found.has(key)) return;
    found.set(key, declaration);
    for (const reference of referencesOf(api.schemaOf(declaration))) {
      const target = api.declarationOf(reference);
      if (target !== undefined) visit(target);
    }
  };
  for (const root of roots) visit(root);
  return [...found.values()];
}

function referencesOf(schema: Schema): string[] {
  const children = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
  ];
  return [...(schema.$ref === undefined ? [] : [schema.$ref]), ...children.flatMap(referencesOf)];
}

function link(name: string): string {
  return `[${name}](#${name.toLowerCase()})`;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Returns text in a form that fits one cell of a table. */
function cell(text: string): string {
  return text
    .replaceAll("|", "\\|")
    .replaceAll("<", "&lt;")
    .replaceAll(/\n\n+/g, "<br>")
    .replaceAll("\n", " ");
}
