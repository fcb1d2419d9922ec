import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ChartError } from "../chart/chart.ts";
import { confinedPath } from "../chart/confined-path.ts";
import { parseYamlDocuments, type YamlDocument, YamlError } from "../yaml/parse-yaml.ts";
import { readWatch } from "./read-watch.ts";
import { type Watch, WatchesError, type WatchesProblem } from "./watch.ts";

/** Options of {@link loadWatches}. */
export interface LoadWatchesOptions {
  /** The folder that must contain the charts. Their paths are relative to it. Default: that of the file. */
  readonly root?: string | undefined;
  /** The variables for `$NAME` in overrideValues. Default: the process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** More than any real watches.yaml has, so that a wrong file is not read into memory. */
const maximumBytes = 1024 * 1024;

/**
 * Reads a watches.yaml: a list, strictly. Rejects fields that are unknown, missing, duplicate or of the wrong
 * type, and charts that are missing or not within `root`. Reports all mistakes at once. Does not read the
 * charts: see `loadChart`.
 *
 * @param path of the file
 * @throws WatchesError when the file cannot be read or has mistakes
 */
export async function loadWatches(path: string, options: LoadWatchesOptions = {}): Promise<Watch[]> {
  const { root = dirname(resolve(path)), environment = process.env } = options;
  const document = parse(await readText(path), path);
  const entries = document?.value ?? [];
  if (document === undefined || !Array.isArray(entries)) {
    const line = document?.lineOf([]) ?? 1;
    throw new WatchesError(path, [
      { line, entries: [], message: "it is not a list: begin each entry with a dash" },
    ]);
  }
  const problems: WatchesProblem[] = [];
  const read = entries.map((entry, i) =>
    readWatch(entry, environment, (message, field = []) => {
      problems.push({ line: document.lineOf([i, ...field]), entries: [i], message });
    }),
  );
  problems.push(...duplicates(read, document));
  const watches = await Promise.all(
    read.map(async (watch, i): Promise<Watch | undefined> => {
      if (watch === undefined) return undefined;
      try {
        return { ...watch, chart: await confinedPath(resolve(root), watch.chart) };
      } catch (error) {
        if (!(error instanceof ChartError)) throw error;
        problems.push({ line: document.lineOf([i, "chart"]), entries: [i], message: error.message });
        return undefined;
      }
    }),
  );
  if (problems.length > 0) throw new WatchesError(path, problems);
  return watches.filter((watch) => watch !== undefined);
}

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size <= maximumBytes) return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = code === "ENOENT" ? "there is no such file" : `it cannot be read: ${code ?? error}`;
    throw new WatchesError(path, [{ line: 1, entries: [], message }]);
  }
  const message = `it has more than ${maximumBytes} bytes: is it a watches.yaml?`;
  throw new WatchesError(path, [{ line: 1, entries: [], message }]);
}

/** Returns the only document of a text; an empty list for an empty text. */
function parse(text: string, path: string): YamlDocument | undefined {
  try {
    const documents = parseYamlDocuments(text);
    if (documents.length === 0) return { value: [], lineOf: () => 1 };
    const [, second] = documents;
    if (second === undefined) return documents[0];
    const message = "a second document begins here: put all entries into one list";
    throw new WatchesError(path, [{ line: second.lineOf([]), entries: [], message }]);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new WatchesError(path, [
      { line: error.line, entries: [], message: `column ${error.column}: ${error.message}` },
    ]);
  }
}

function duplicates(watches: readonly (Watch | undefined)[], document: YamlDocument): WatchesProblem[] {
  const first = new Map<string, number>();
  return watches.flatMap((watch, i): WatchesProblem[] => {
    if (watch === undefined) return [];
    const name = `${watch.group === "" ? "" : `${watch.group}/`}${watch.version}, Kind=${watch.kind}`;
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, i);
      return [];
    }
    const message = `both are for ${name}: a kind has one chart, so remove one of them`;
    return [{ line: document.lineOf([i, "kind"]), entries: [before, i], message }];
  });
}
