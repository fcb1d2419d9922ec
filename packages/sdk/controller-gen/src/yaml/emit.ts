import { compareKeys } from "./compare-keys.ts";
import { isBreak, isPrintable, styleOf } from "./scalar.ts";

/** A JSON value, or an object with undefined members. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** A line is folded at the first space after this column. */
const width = 80;

/**
 * Returns a value as YAML, byte for byte as gopkg.in/yaml.v2 writes it. Kubernetes' tools use that library
 * (sigs.k8s.io/yaml), so switching from one of them causes no diff in an author's repository. The npm package
 * `yaml` folds and quotes by other rules. Sorts keys and omits undefined members.
 *
 * @param cache the texts of objects that several values share; these objects must not change between calls
 */
export function emitYaml(value: Json, cache: YamlCache = new WeakMap()): string {
  return `${afterDash(value, -2, cache)}\n`;
}

/** The texts of each object by indentation. */
export type YamlCache = WeakMap<object, Map<number, string>>;

type Mapping = { readonly [key: string]: Json | undefined };

/** Returns the text after the dash of a list with this indentation, or of the whole document (-2). */
function afterDash(value: Json, indent: number, cache: YamlCache): string {
  const own = indent + 2;
  return collectionText(value, own, own, cache) ?? scalarText(value as Scalar, own, own, false);
}

/** Returns the text after the colon of a key. The key has this indentation and ends before `column`. */
function afterColon(value: Json, indent: number, column: number, cache: YamlCache): string {
  // A list below a key has the same indentation as the key.
  const text = collectionText(value, indent + 2, indent, cache);
  if (text === undefined) return ` ${scalarText(value as Scalar, indent + 2, column + 1, false)}`;
  if (text === "[]" || text === "{}") return ` ${text}`;
  return `\n${" ".repeat(Array.isArray(value) ? indent : indent + 2)}${text}`;
}

/** Returns a list or map without the indentation of its first line, or undefined for a scalar. */
function collectionText(
  value: Json,
  indent: number,
  listIndent: number,
  cache: YamlCache,
): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const own = Array.isArray(value) ? listIndent : indent;
  let texts = cache.get(value);
  if (texts === undefined) {
    texts = new Map();
    cache.set(value, texts);
  }
  let text = texts.get(own);
  if (text === undefined) {
    text = Array.isArray(value)
      ? sequenceText(value as readonly Json[], own, cache)
      : mappingText(value as Mapping, own, cache);
    texts.set(own, text);
  }
  return text;
}

function mappingText(value: Mapping, indent: number, cache: YamlCache): string {
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  if (keys.length === 0) return "{}";
  const lines = keys.sort(compareKeys).map((key) => {
    const name = scalarText(key, indent, indent, true);
    return `${name}:${afterColon(value[key] as Json, indent, indent + [...name].length + 1, cache)}`;
  });
  return lines.join(`\n${" ".repeat(indent)}`);
}

function sequenceText(value: readonly Json[], indent: number, cache: YamlCache): string {
  if (value.length === 0) return "[]";
  return value.map((item) => `- ${afterDash(item, indent, cache)}`).join(`\n${" ".repeat(indent)}`);
}

type Scalar = string | number | boolean | null;

/** Returns a scalar that begins at `column`. Its other lines have the indentation. */
function scalarText(value: Scalar, indent: number, column: number, isKey: boolean): string {
  if (typeof value !== "string") return typeof value === "number" ? formatNumber(value) : String(value);
  switch (styleOf(value, isKey)) {
    case "plain":
      return folded(value, indent, column, isKey, false);
    case "single":
      return `'${folded(value.replaceAll("'", "''"), indent, column + 1, isKey, true)}'`;
    case "double":
      return doubleQuoted(value, indent, column, isKey);
    case "literal":
      return literal(value, indent);
  }
}

function folded(value: string, indent: number, column: number, isKey: boolean, quoted: boolean): string {
  if (isKey || column + value.length <= width) return value;
  const characters = [...value];
  let at = column;
  let text = "";
  for (const [index, character] of characters.entries()) {
    const fold =
      character === " " &&
      at > width &&
      characters[index - 1] !== " " &&
      characters[index + 1] !== " " &&
      (!quoted || (index > 0 && index < characters.length - 1));
    text += fold ? `\n${" ".repeat(indent)}` : character;
    at = fold ? indent : at + 1;
  }
  return text;
}

const escapes: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  '"': '"',
  "\\": "\\",
  "\u0085": "N",
  "\u00a0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

function doubleQuoted(value: string, indent: number, column: number, isKey: boolean): string {
  const characters = [...value];
  let at = column + 1;
  let text = '"';
  let afterSpace = false;
  for (const [index, character] of characters.entries()) {
    let piece = character;
    if (character === " ") {
      const inside = index > 0 && index < characters.length - 1;
      if (!isKey && !afterSpace && at > width && inside) {
        const guard = characters[index + 1] === " " ? "\\" : "";
        text += `\n${" ".repeat(indent)}${guard}`;
        at = indent + guard.length;
        piece = "";
      }
    } else if (!isPrintable(character) || isBreak(character) || character === '"' || character === "\\") {
      piece = `\\${escapes[character] ?? escapeCode(character.codePointAt(0) ?? 0)}`;
    }
    afterSpace = character === " ";
    text += piece;
    at += [...piece].length;
  }
  return `${text}"`;
}

function escapeCode(code: number): string {
  const [letter, digits] = code <= 0xff ? ["x", 2] : code <= 0xffff ? ["u", 4] : ["U", 8];
  return letter + code.toString(16).toUpperCase().padStart(Number(digits), "0");
}

function literal(value: string, indent: number): string {
  const indentIndicator = /^[ \n]/.test(value) ? "2" : "";
  const chomping = !value.endsWith("\n") ? "-" : value === "\n" || value.endsWith("\n\n") ? "+" : "";
  const lines = (value.endsWith("\n") ? value.slice(0, -1) : value).split("\n");
  const pad = " ".repeat(indent);
  return [`|${indentIndicator}${chomping}`, ...lines.map((line) => (line === "" ? "" : pad + line))].join(
    "\n",
  );
}

/**
 * Returns a number as encoding/json and go-yaml v2 write it: integers of up to 64 bits in digits, and other
 * numbers as strconv.FormatFloat(x, 'g', -1, 64) does.
 */
function formatNumber(value: number): string {
  if (Number.isInteger(value) && value < 2 ** 64 && value >= -(2 ** 63)) return String(value);
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
