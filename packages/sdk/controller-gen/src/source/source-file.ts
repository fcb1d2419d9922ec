import {
  type Comment,
  parseSync,
  type Statement,
  type TSInterfaceDeclaration,
  type TSSignature,
  type TSTypeAliasDeclaration,
} from "oxc-parser";
import { type Place, type Problem, problemAt } from "../problem.ts";
import {
  type CommentGroup,
  docOf,
  groupComments,
  isAdjacent,
  isTrailing,
  markersOf,
  type RawMarker,
} from "./comments.ts";

/** A parsed file of the author. */
export interface SourceFile {
  /** Relative to the working directory, with forward slashes, for messages. */
  readonly path: string;
  readonly absolutePath: string;
  readonly text: string;
  /** The interfaces and type aliases at the top level, by name. */
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Imports by local name. */
  readonly imports: ReadonlyMap<string, ImportedName>;
  /** `export type { A } from "./b.ts"`, by the exported name. */
  readonly reExports: ReadonlyMap<string, ImportedName>;
  /** Markers of the package: those in comments that do not belong to an interface, type or member. */
  readonly packageMarkers: readonly RawMarker[];
  /** Syntax errors, and markers that are not attached to anything. */
  readonly problems: readonly Problem[];
}

export interface ImportedName {
  readonly module: string;
  /** The name that the other module exports; "*" for the whole module. */
  readonly name: string;
}

export interface Declaration {
  readonly name: string;
  readonly file: SourceFile;
  readonly offset: number;
  readonly node: TSInterfaceDeclaration | TSTypeAliasDeclaration;
  readonly doc: string;
  readonly markers: readonly RawMarker[];
  /**
   * Markers in the comment above the doc comment. Those that allow a type belong to the type, others to the
   * package.
   */
  readonly looseMarkers: readonly RawMarker[];
  readonly members: readonly Member[];
  /** Whether the file has an earlier declaration with this name. TypeScript merges interfaces. */
  readonly isRepeated: boolean;
}

export interface Member {
  readonly node: TSSignature;
  readonly doc: string;
  readonly markers: readonly RawMarker[];
}

/** Parses a file. Syntax errors become problems. */
export function readSource(path: string, text: string, absolutePath: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text, { lang: "ts" });
  const place = (offset: number): Place => ({ file: { path, text }, offset });
  const problems = errors.map(({ message, labels }) =>
    problemAt(place(labels[0]?.start ?? 0), `not TypeScript: ${message}`),
  );
  const report = (offset: number, message: string, suggestion: string): void => {
    problems.push(problemAt(place(offset), message, suggestion));
  };
  const groups = groupComments(text, comments as Comment[]);
  const assigned = new Set<CommentGroup>();
  const declarations = new Map<string, Declaration>();
  const file: SourceFile = {
    path,
    absolutePath,
    text,
    declarations,
    imports: importsOf(program.body as Statement[]),
    reExports: reExportsOf(program.body as Statement[]),
    get packageMarkers() {
      return groups.filter((group) => !assigned.has(group)).flatMap(markersOf);
    },
    problems,
  };

  let end = 0;
  for (const statement of program.body as Statement[]) {
    const node = declarationOf(statement);
    if (node !== undefined) {
      const above = between(groups, end, statement.start).filter(({ start }) => !isTrailing(text, start));
      const last = above.at(-1);
      const doc = last !== undefined && isAdjacent(text, last, statement.start) ? last : undefined;
      const loose = doc === undefined ? last : above.at(-2);
      for (const group of [doc, loose]) if (group !== undefined) assigned.add(group);
      declarations.set(node.id.name, {
        name: node.id.name,
        file,
        offset: node.id.start,
        node,
        doc: docOf(doc),
        markers: doc === undefined ? [] : markersOf(doc),
        looseMarkers: loose === undefined ? [] : markersOf(loose),
        members: membersOf(node, text, groups, assigned, report),
        isRepeated: declarations.has(node.id.name),
      });
    }
    end = statement.end;
  }
  return file;
}

function declarationOf(statement: Statement): TSInterfaceDeclaration | TSTypeAliasDeclaration | undefined {
  const node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  return node?.type === "TSInterfaceDeclaration" || node?.type === "TSTypeAliasDeclaration"
    ? node
    : undefined;
}

function membersOf(
  node: TSInterfaceDeclaration | TSTypeAliasDeclaration,
  text: string,
  groups: readonly CommentGroup[],
  assigned: Set<CommentGroup>,
  report: (offset: number, message: string, suggestion: string) => void,
): Member[] {
  const body =
    node.type === "TSInterfaceDeclaration"
      ? node.body
      : node.typeAnnotation.type === "TSTypeLiteral"
        ? node.typeAnnotation
        : undefined;
  // Comments inside other types have no owner, so their markers do not belong to the package.
  const inside = between(groups, body?.start ?? node.id.end, body?.end ?? node.end);
  for (const group of inside) assigned.add(group);
  const signatures: readonly TSSignature[] =
    body === undefined ? [] : body.type === "TSInterfaceBody" ? body.body : body.members;
  let end = body?.start ?? node.id.end;
  const claimed = new Set<CommentGroup>();
  const members = signatures.map((signature): Member => {
    const above = between(inside, end, signature.start).filter(({ start }) => !isTrailing(text, start));
    for (const group of above) claimed.add(group);
    const last = above.at(-1);
    end = signature.end;
    return {
      node: signature,
      doc: docOf(last !== undefined && isAdjacent(text, last, signature.start) ? last : undefined),
      markers: above.flatMap(markersOf),
    };
  });
  for (const marker of inside.filter((group) => !claimed.has(group)).flatMap(markersOf)) {
    report(marker.offset, `${marker.text} is not attached to a field`, "put it on a line above its field");
  }
  return members;
}

function between(groups: readonly CommentGroup[], from: number, to: number): CommentGroup[] {
  return groups.filter(({ start, end }) => start >= from && end <= to);
}

function importsOf(statements: readonly Statement[]): Map<string, ImportedName> {
  const imports = new Map<string, ImportedName>();
  for (const statement of statements) {
    if (statement.type !== "ImportDeclaration") continue;
    for (const specifier of statement.specifiers) {
      const name =
        specifier.type === "ImportSpecifier"
          ? nameOf(specifier.imported)
          : specifier.type === "ImportDefaultSpecifier"
            ? "default"
            : "*";
      imports.set(specifier.local.name, { module: statement.source.value, name });
    }
  }
  return imports;
}

function reExportsOf(statements: readonly Statement[]): Map<string, ImportedName> {
  const exports = new Map<string, ImportedName>();
  for (const statement of statements) {
    if (statement.type !== "ExportNamedDeclaration" || statement.source === null) continue;
    for (const { exported, local } of statement.specifiers) {
      exports.set(nameOf(exported), { module: statement.source.value, name: nameOf(local) });
    }
  }
  return exports;
}

function nameOf(node: { type: string; name?: string; value?: unknown }): string {
  return node.name ?? String(node.value);
}
