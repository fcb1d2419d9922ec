import { copyJson, isJsonObject, type JsonObject, type JsonValue, put } from "../json.ts";

/** Invalid values. The message names them, and the remedy. */
export class ValuesError extends Error {
  override readonly name = "ValuesError";
}

/**
 * Returns values with a watch's `overrideValues` over them, applied one after the other, each as `helm --set
 * PATH=VALUE` does it (`setValues`). A comma in a value begins another assignment, unless a backslash
 * precedes it. Does not expand environment variables, and does not change its arguments.
 *
 * @throws ValuesError naming the override
 */
export function overrideValues(values: JsonObject, overrides: Readonly<Record<string, string>>): JsonObject {
  return Object.entries(overrides).reduce((result, [path, value]) => {
    try {
      return setValues(result, `${path}=${value}`);
    } catch (error) {
      if (!(error instanceof ValuesError)) throw error;
      // Leave the value out of the message: it may come from a variable that holds a secret.
      throw new ValuesError(`overrideValues ${JSON.stringify(path)}: ${error.message}`);
    }
  }, values);
}

/** helm's own limits: above any real path, and low enough to protect the memory. */
const maximumIndex = 65_536;
const maximumNesting = 30;

/** Whether another assignment may follow. helm's parser stops where a line ends without a value. */
type Progress = "more" | "end";

/**
 * Returns a copy of values with a line of assignments applied, as `helm --set` reads it:
 * `a.b=1,c[0].d=x,e={1,2}`.
 *
 * - A dot goes into a table, `[2]` into a list, which is filled up with nulls. A backslash makes `.`, `,`,
 *   `[` and `=` ordinary characters.
 * - `true`, `false`, `null`, and whole decimal numbers without a leading zero are typed. All else is text.
 * - `{a,b}` is a list; `{}` is a list of one empty text.
 * - What stands at the end of a path is replaced. A path through anything but tables and lists is an error,
 *   except that an item of a list becomes a table.
 * - A line that ends without a value for an item's member (`a[0].b=`) does not create the item.
 *
 * Unlike helm, rejects an unclosed bracket (helm ignores it silently) and whole numbers beyond 2^53 (a values
 * file would not keep them).
 *
 * @throws ValuesError naming what is wrong with the line
 */
export function setValues(values: JsonObject, line: string): JsonObject {
  const result = copyJson(values);
  const rest = new SetLine(line);
  try {
    while (assign(result, rest, 0) === "more");
  } catch (error) {
    if (error instanceof RangeError) throw new ValuesError("its path goes through too many lists");
    throw error;
  }
  return result;
}

/** Applies one assignment, or the rest of one. Its path starts at `table`. */
function assign(table: JsonObject, line: SetLine, nesting: number): Progress {
  const { text: key, stop } = line.until("=[,.");
  switch (stop) {
    case undefined:
      if (key === "") return "end";
      throw new ValuesError(`key ${JSON.stringify(key)} has no value: write ${key}=VALUE`);
    case ",":
      throw new ValuesError(`key ${JSON.stringify(key)} has no value (write a literal comma as \\,)`);
    case "[":
      return assignItem(table, key, line, nesting);
    case ".":
      return assignMember(table, key, line, nesting + 1);
    default: {
      const last = line.atEnd;
      set(table, key, readValue(line));
      return last ? "end" : "more";
    }
  }
}

function assignMember(table: JsonObject, key: string, line: SetLine, nesting: number): Progress {
  if (nesting > maximumNesting) {
    throw new ValuesError(`its path goes through more than ${maximumNesting} tables`);
  }
  const inner = existing(table, key) ?? {};
  if (!isJsonObject(inner)) throw notA("table", JSON.stringify(key), inner);
  const progress = assign(inner, line, nesting);
  if (Object.keys(inner).length > 0) set(table, key, inner);
  else if (progress === "more") throw new ValuesError(`no key follows ${JSON.stringify(key)} and its dot`);
  return progress;
}

function assignItem(table: JsonObject, key: string, line: SetLine, nesting: number): Progress {
  const index = readIndex(line);
  const list = existing(table, key) ?? [];
  if (!Array.isArray(list)) throw notA("list", JSON.stringify(key), list);
  const progress = assignInto(list, index, line, nesting);
  set(table, key, list);
  return progress;
}

/** Applies what follows `[index]`. */
function assignInto(list: JsonValue[], index: number, line: SetLine, nesting: number): Progress {
  const { text, stop } = line.until("[.=");
  if (text !== "") {
    throw new ValuesError(`${JSON.stringify(text)} follows [${index}], where only "=", "." or "[" may`);
  }
  if (stop === undefined) return "end";
  if (stop === "=") {
    setItem(list, index, readValue(line));
    return "more";
  }
  let progress: Progress;
  let inner: JsonValue;
  if (stop === "[") {
    const next = readIndex(line);
    inner = list[index] ?? [];
    if (!Array.isArray(inner)) throw notA("list", `[${index}]`, inner);
    progress = assignInto(inner, next, line, nesting);
  } else {
    const item = list[index];
    inner = isJsonObject(item) ? item : {};
    if (index < list.length) list[index] = inner;
    progress = assign(inner, line, nesting);
  }
  if (progress === "more") setItem(list, index, inner);
  return progress;
}

/** An empty key names nothing: helm reads the value, and drops it. */
function set(table: JsonObject, key: string, value: JsonValue): void {
  if (key !== "") put(table, key, value);
}

function setItem(list: JsonValue[], index: number, value: JsonValue): void {
  if (index > maximumIndex) throw new ValuesError(`index ${index} is beyond ${maximumIndex}`);
  while (list.length < index) list.push(null);
  list[index] = value;
}

/** undefined: the key is missing. null exists, and is neither a table nor a list. */
function existing(table: JsonObject, key: string): JsonValue | undefined {
  if (!Object.hasOwn(table, key)) return undefined;
  if (table[key] === null)
    throw new ValuesError(`${JSON.stringify(key)} is null and cannot contain anything`);
  return table[key];
}

function readIndex(line: SetLine): number {
  const { text, stop } = line.until("]");
  if (stop === undefined) throw new ValuesError(`the bracket before ${JSON.stringify(text)} is not closed`);
  if (!/^\+?\d+$/.test(text) && !/^-0+$/.test(text)) {
    throw new ValuesError(`${JSON.stringify(text)} is not an index: write a whole number from 0`);
  }
  return Math.abs(Number(text));
}

function readValue(line: SetLine): JsonValue {
  if (!line.takes("{")) return typedValue(line.until(",").text);
  const list: JsonValue[] = [];
  for (;;) {
    const { text, stop } = line.until(",}");
    if (stop === undefined) throw new ValuesError("its list is not closed: } is missing");
    list.push(typedValue(text));
    if (stop === "}") break;
  }
  line.takes(",");
  return list;
}

function notA(wanted: "table" | "list", what: string, value: JsonValue): ValuesError {
  const kind = Array.isArray(value) ? "a list" : isJsonObject(value) ? "a table" : JSON.stringify(value);
  return new ValuesError(`${what} is ${kind}, not a ${wanted}: a path cannot go on through it`);
}

const int64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

/**
 * Returns the value that a text stands for after `helm --set`: true, false and null in any case of letters,
 * and whole decimal numbers without a leading zero. Anything else is text, including numbers beyond an int64.
 *
 * @throws ValuesError for whole numbers that JSON parsers would round
 */
function typedValue(text: string): string | number | boolean | null {
  // Unicode's simple case folding, as Go's strings.EqualFold.
  if (/^true$/iu.test(text)) return true;
  if (/^false$/iu.test(text)) return false;
  if (/^null$/iu.test(text)) return null;
  if (text !== "0" && !/^(?:[1-9]|[+-]\d)\d*$/.test(text)) return text;
  // An int64 has fewer digits, and parsing many more would take long.
  if (text.replace(/^[+-]?0*/, "").length > 19) return text;
  const number = BigInt(text.replace(/^\+/, ""));
  if (number < int64.minimum || number > int64.maximum) return text;
  if (!Number.isSafeInteger(Number(number))) {
    throw new ValuesError(`${text} is beyond 2^53 and would be rounded: the chart must take it as text`);
  }
  return Number(number);
}

/** Reads a line of assignments character by character. A character is a code point, like Go's rune. */
class SetLine {
  readonly #characters: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  /** Takes the next character, and returns it; undefined at the end. */
  next(): string | undefined {
    return this.#characters[this.#position++];
  }

  /** Takes the next character if it is this one. */
  takes(character: string): boolean {
    if (this.#characters[this.#position] !== character) return false;
    this.#position++;
    return true;
  }

  get atEnd(): boolean {
    return this.#position >= this.#characters.length;
  }

  /**
   * Takes the text up to one of the characters in `stops`, and that character, which is not part of the text.
   * A backslash makes the next character an ordinary one.
   *
   * @returns the text, and the character that ended it; undefined when the line ended first
   */
  until(stops: string): { readonly text: string; readonly stop: string | undefined } {
    let text = "";
    for (;;) {
      const character = this.next();
      if (character === undefined || stops.includes(character)) return { text, stop: character };
      // A backslash at the very end stands for nothing.
      text += character === "\\" ? (this.next() ?? "") : character;
    }
  }
}
