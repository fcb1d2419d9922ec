import { extname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseSync } from "oxc-parser";
import { parseAllDocuments } from "yaml";

/**
 * Reports whether two texts of a file mean the same: the same program apart from format and comments, or the
 * same data. Comments that begin with `+` are instructions for generators, and count. A text with a syntax
 * error has no meaning. The descriptions of a CRD are comments too. In other files, trailing blanks do not count.
 */
export function meansTheSame(file: string, a: string, b: string): boolean {
  if (a === b) return true;
  const meaning = meanings[extname(file)] ?? withoutTrailingBlanks;
  const [left, right] = [meaning(file, a), meaning(file, b)];
  return left !== undefined && isDeepStrictEqual(left, right);
}

type Meaning = (file: string, text: string) => unknown;

const meanings: Readonly<Record<string, Meaning>> = {
  ".ts": programOf,
  ".mts": programOf,
  ".js": programOf,
  ".mjs": programOf,
  ".json": (_, text) => {
    try {
      return { json: JSON.parse(text) as unknown };
    } catch {
      return undefined;
    }
  },
  ".yaml": documentsOf,
  ".yml": documentsOf,
};

function programOf(file: string, text: string): unknown {
  const { program, comments, errors } = parseSync(file, text, { preserveParens: false });
  if (errors.length > 0) return undefined;
  const markers = comments
    .flatMap(({ value }) => value.split("\n"))
    .map((line) => line.replace(/^[\s*/]+/, "").trimEnd())
    .filter((line) => line.startsWith("+"));
  return { program: withoutPlaces(program), markers };
}

/** Removes positions and the spelling of literals from a syntax tree. */
function withoutPlaces(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutPlaces);
  if (typeof node !== "object" || node === null) return node;
  const isLiteral = Reflect.get(node, "type") === "Literal";
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== "start" && key !== "end" && key !== "range" && !(isLiteral && key === "raw"))
      .map(([key, value]) => [key, withoutPlaces(value)]),
  );
}

function documentsOf(_file: string, text: string): unknown {
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents
    .map((document) => document.toJS() as unknown)
    .filter((value) => value !== null)
    .map((value) => (kindOf(value) === "CustomResourceDefinition" ? withoutDescriptions(value) : value));
}

function kindOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, "kind") : undefined;
}

/** Removes the texts that a generator takes from comments. A property named `description` is an object, and stays. */
function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(key === "description" && typeof inner === "string"))
      .map(([key, inner]) => [key, withoutDescriptions(inner)]),
  );
}

function withoutTrailingBlanks(_file: string, text: string): unknown {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
}
