import { type Document, isNode, LineCounter, parseAllDocuments } from "yaml";
import { type JsonValue, put } from "../json.ts";

/** Invalid YAML, or YAML that expands without limit. The message says what is wrong. */
export class YamlError extends Error {
  override readonly name = "YamlError";
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

export interface YamlDocument {
  readonly value: JsonValue;
  /** Returns the line of the field at a path, counted from 1, or of its closest parent that exists. */
  lineOf(path: readonly (string | number)[]): number;
}

/** Deeper than any real document, and as deep as the stack safely reaches. */
const maximumDepth = 1_000;
const tooDeep = "nested too deeply";

// helm's library reads YAML 1.1 without base 60 numbers, and leaves dates as strings.
const leftOut = new Set(["timestamp", "intTime", "floatTime", "binary", "omap", "pairs", "set"]);

/**
 * Returns the documents of a text as helm reads them (sigs.k8s.io/yaml): YAML 1.1 (`yes` is true, `012` is
 * ten) with string keys. Limits aliases, so a text that repeats anchors cannot grow without bound.
 *
 * @param options.uniqueKeys false: the last of duplicate keys counts, as for helm. Default true: they are
 * errors
 * @throws YamlError
 */
export function parseYamlDocuments(
  text: string,
  { uniqueKeys = true }: { readonly uniqueKeys?: boolean } = {},
): YamlDocument[] {
  const lines = new LineCounter();
  return within(lines, 0, () => {
    const documents: readonly Document.Parsed[] = parseAllDocuments(text, {
      version: "1.1",
      uniqueKeys,
      merge: true,
      lineCounter: lines,
      prettyErrors: false,
      logLevel: "silent",
      customTags: (tags) => tags.filter((tag) => !leftOut.has(nameOf(tag))),
    });
    return documents.map((document) => {
      const [problem] = document.errors;
      if (problem !== undefined) throw errorAt(lines, problem.pos[0], inWords(problem.message));
      const start = document.contents?.range[0] ?? document.range[0];
      const value = within(lines, start, () => toJson(document.toJS({ maxAliasCount: 100 }), []));
      return { value, lineOf: (path) => lineOf(document, path, lines) };
    });
  });
}

function within<T>(lines: LineCounter, offset: number, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof YamlError) throw error;
    throw errorAt(lines, offset, inWords(error instanceof Error ? error.message : String(error)));
  }
}

/** The parser recurses, and reports a stack overflow like any other mistake in the text. */
function inWords(message: string): string {
  return message.startsWith("Maximum call stack") ? tooDeep : message;
}

function errorAt(lines: LineCounter, offset: number, message: string): YamlError {
  const { line, col } = lines.linePos(offset);
  return new YamlError(message, Math.max(line, 1), Math.max(col, 1));
}

function lineOf(document: Document.Parsed, path: readonly (string | number)[], lines: LineCounter): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return Math.max(lines.linePos(node.range[0]).line, 1);
  }
  return 1;
}

function nameOf(tag: unknown): string {
  if (typeof tag === "string") return tag;
  const { tag: uri, format } = tag as { tag?: string; format?: string };
  if (format === "TIME") return uri === "tag:yaml.org,2002:float" ? "floatTime" : "intTime";
  return (uri ?? "").replace("tag:yaml.org,2002:", "");
}

/** Converts a value to JSON, as helm's library does. */
function toJson(value: unknown, around: readonly object[]): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error(`${value} is not a JSON number`);
    return value;
  }
  if (typeof value !== "object") return String(value);
  if (around.includes(value)) throw new Error("the value of an anchor contains itself");
  if (around.length > maximumDepth) throw new Error(tooDeep);
  const inside = [...around, value];
  if (Array.isArray(value)) return value.map((item) => toJson(item, inside));
  const object = {};
  for (const [key, member] of Object.entries(value)) put(object, key, toJson(member, inside));
  return object;
}
