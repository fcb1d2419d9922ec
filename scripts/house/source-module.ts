import { parseSync, Visitor } from "oxc-parser";

/** What the checks need to know of one source file. */
export interface SourceModule {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Every `import`, `export … from`, `import()` with a literal, and type import. */
  readonly imports: readonly Reference[];
  /** Lines of `export * from`, with or without a name. */
  readonly exportAlls: readonly number[];
  /** Lines that call `process.exit`. */
  readonly exits: readonly number[];
}

export interface Reference {
  readonly specifier: string;
  readonly line: number;
}

/** Parses TypeScript with a real parser, so that strings and comments are not mistaken for code. */
export function readModule(file: string, text: string): SourceModule {
  const { program, errors } = parseSync(file, text, { lang: file.endsWith(".tsx") ? "tsx" : "ts" });
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const imports: Reference[] = [];
  const exportAlls: number[] = [];
  const exits: number[] = [];
  const line = (node: { start: number }): number => text.slice(0, node.start).split("\n").length;
  const refer = (source: { value: unknown; start: number } | null | undefined): void => {
    if (source) imports.push({ specifier: String(source.value), line: line(source) });
  };
  new Visitor({
    ImportDeclaration: (node) => refer(node.source),
    ExportNamedDeclaration: (node) => refer(node.source),
    ExportAllDeclaration: (node) => {
      exportAlls.push(line(node));
      refer(node.source);
    },
    ImportExpression: (node) => {
      if (node.source.type === "Literal") refer(node.source);
    },
    TSImportType: (node) => refer(node.source),
    CallExpression: ({ callee, ...node }) => {
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      const isProcess = callee.object.type === "Identifier" && callee.object.name === "process";
      if (isProcess && callee.property.name === "exit") exits.push(line(node));
    },
  }).visit(program);
  return { file, imports, exportAlls, exits };
}
