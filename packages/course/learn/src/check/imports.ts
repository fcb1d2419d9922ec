import { posix } from "node:path";
import { parseSync } from "oxc-parser";

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
