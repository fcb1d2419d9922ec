import { posix } from "node:path";
import { parseSync, type StaticImportEntry } from "oxc-parser";

/** An import of a file of the project, or an export from it. */
export interface LocalImport {
  /** As the source has it: `./add.ts`. */
  readonly request: string;
  /** Path relative to the project that it names. */
  readonly path: string;
  /** Of its quote in the text. */
  readonly offset: number;
}

const code = /\.[cm]?[jt]sx?$/;

/** Returns what a file of the project imports by a relative name, also with `import(…)`. */
export function localImportsOf(file: string, text: string): LocalImport[] {
  if (!code.test(file)) return [];
  const { module } = parseSync(file, text);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest ?? []),
    ),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, value] = /^(?:"([^"]*)"|'([^']*)')$/.exec(text.slice(start, end))?.filter(Boolean) ?? [];
      return value === undefined ? [] : [{ value, start }];
    }),
  ];
  return requests
    .filter(({ value }) => value.startsWith("."))
    .map(({ value, start }) => ({
      ...{ request: value, offset: start },
      path: posix.join(posix.dirname(file), value),
    }));
}

/**
 * Returns the indexes of the lines of import declarations in `text` that `own`, the learner's text of the same file,
 * has in another form: it imports every name of such a line from the same module.
 */
export function importLinesCovered(file: string, text: string, own: string): Set<number> {
  if (!code.test(file)) return new Set();
  const importsOf = (source: string) => parseSync(file, source).module.staticImports;
  const keyOf = ({ kind, name }: StaticImportEntry["importName"]) => `${kind} ${name ?? ""}`;
  const owned = new Map<string, Set<string>>();
  for (const { moduleRequest, entries } of importsOf(own)) {
    const names = owned.get(moduleRequest.value) ?? new Set();
    for (const { importName } of entries) names.add(keyOf(importName));
    owned.set(moduleRequest.value, names);
  }
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length - 1;
  const covered = new Set<number>();
  for (const { start, end, moduleRequest, entries } of importsOf(text)) {
    const names = owned.get(moduleRequest.value);
    if (!names) continue;
    const lacking = entries.filter(({ importName }) => !names.has(keyOf(importName)));
    const lackingLines = new Set(lacking.map(({ localName }) => lineOf(localName.start)));
    for (let line = lineOf(start); line <= lineOf(end); line++)
      if (!lackingLines.has(line)) covered.add(line);
  }
  return covered;
}
