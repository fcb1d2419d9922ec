import { type JsonObject, type JsonValue, setMember } from "./json.ts";

/** The text is not JSON. The message is that of Go's encoding/json, which clients of a real server see. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

export interface ParsedJson {
  value: JsonValue;
  /** Names that occur more than once, by object. The last value wins. */
  duplicates: WeakMap<object, string[]>;
}

const literals: Record<string, JsonValue> = { true: true, false: false, null: null };
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string holds none of them unescaped
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
/** Go stops at 10 000. Recursive functions here use the stack, which is large enough for this limit. */
const maximumDepth = 1_000;

/**
 * Parses like JSON.parse, but also reports duplicate names, and has Go's messages. @throws JsonSyntaxError
 */
export function parseJson(text: string): ParsedJson {
  const duplicates = new WeakMap<object, string[]>();
  let at = 0;

  function skipSpace(): void {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  function unexpected(where: string): JsonSyntaxError {
    if (at >= text.length) return new JsonSyntaxError("unexpected end of JSON input");
    return new JsonSyntaxError(`invalid character ${quoteCharacter(text, at)} ${where}`);
  }

  function parseString(where: string): string {
    if (text[at] !== '"') throw unexpected(where);
    stringPattern.lastIndex = at;
    const match = stringPattern.exec(text);
    if (match === null) {
      // Find the reason: an unescaped control character, a bad escape, or the end of the text.
      for (at++; at < text.length; at++) {
        if (text.charCodeAt(at) < 0x20) throw unexpected("in string literal");
        if (text[at] === "\\") {
          at++;
          if (!/["\\/bfnrtu]/.test(text[at] ?? '"')) throw unexpected("in string escape code");
          if (text[at] === "u" && !/^[0-9a-fA-F]{4}/.test(text.slice(at + 1))) {
            at++;
            throw unexpected("in \\u hexadecimal character escape");
          }
        }
      }
      throw unexpected("");
    }
    at = stringPattern.lastIndex;
    const raw = match[0];
    return raw.includes("\\") ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }

  function parseLiteral(word: string): JsonValue {
    for (let i = 0; i < word.length; i++, at++) {
      if (text[at] !== word[i]) throw unexpected(`in literal ${word} (expecting '${word[i]}')`);
    }
    return literals[word] ?? null;
  }

  function parseNumber(): number {
    numberPattern.lastIndex = at;
    const match = numberPattern.exec(text);
    if (match === null) {
      at++;
      throw unexpected("in numeric literal");
    }
    at = numberPattern.lastIndex;
    return Number(match[0]);
  }

  function parseObject(depth: number): JsonObject {
    const object: JsonObject = {};
    at++;
    skipSpace();
    if (text[at] === "}") {
      at++;
      return object;
    }
    for (;;) {
      skipSpace();
      const key = parseString("looking for beginning of object key string");
      skipSpace();
      if (text[at] !== ":") throw unexpected("after object key");
      at++;
      const value = parseValue(depth + 1);
      if (Object.hasOwn(object, key)) {
        const names = duplicates.get(object) ?? [];
        if (!names.includes(key)) names.push(key);
        duplicates.set(object, names);
      }
      setMember(object, key, value);
      skipSpace();
      if (text[at] === "}") {
        at++;
        return object;
      }
      if (text[at] !== ",") throw unexpected("after object key:value pair");
      at++;
    }
  }

  function parseArray(depth: number): JsonValue[] {
    const array: JsonValue[] = [];
    at++;
    skipSpace();
    if (text[at] === "]") {
      at++;
      return array;
    }
    for (;;) {
      array.push(parseValue(depth + 1));
      skipSpace();
      if (text[at] === "]") {
        at++;
        return array;
      }
      if (text[at] !== ",") throw unexpected("after array element");
      at++;
    }
  }

  function parseValue(depth: number): JsonValue {
    skipSpace();
    if (depth > maximumDepth) {
      throw new JsonSyntaxError(`invalid character '${text[at] ?? ""}' exceeded max depth`);
    }
    switch (text[at]) {
      case "{":
        return parseObject(depth);
      case "[":
        return parseArray(depth);
      case '"':
        return parseString("");
      case "t":
        return parseLiteral("true");
      case "f":
        return parseLiteral("false");
      case "n":
        return parseLiteral("null");
      default:
        if (/[-0-9]/.test(text[at] ?? "")) return parseNumber();
        throw unexpected("looking for beginning of value");
    }
  }

  const value = parseValue(0);
  skipSpace();
  if (at < text.length) throw unexpected("after top-level value");
  return { value, duplicates };
}

/** Formats a character like Go's quoteChar. */
function quoteCharacter(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  const escaped = JSON.stringify(character).slice(1, -1);
  return `'${escaped.replace(/[\u0080-\u00a0\u00ad]/, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)}'`;
}
