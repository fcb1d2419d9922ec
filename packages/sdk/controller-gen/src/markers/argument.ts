import type { Json } from "../yaml/emit.ts";
import { createScanner, peek, type Scanner, scan, unquote } from "./scanner.ts";

/** The type of a marker's argument (Go: markers.Argument). */
export type Argument =
  | { readonly type: "int" | "number" | "string" | "bool" | "any" }
  | { readonly type: "slice"; readonly item: Argument }
  | { readonly type: "map"; readonly item: Argument };

/**
 * Reads a value of the given type from the scanner's position. A list is `{a, b}` or `a;b`, a map is `{key:
 * value}`. A string has double quotes, back quotes or none. Without quotes it ends at a comma, semicolon,
 * colon or closing brace.
 *
 * @throws SyntaxError if the text is not a value of the type
 */
export function parseArgument(scanner: Scanner, argument: Argument, inSlice = false): Json {
  switch (argument.type) {
    case "int":
    case "number":
      return parseNumber(scanner, argument.type);
    case "string":
      return parseString(scanner);
    case "bool": {
      const { kind, text } = scan(scanner);
      if (kind !== "ident" || (text !== "true" && text !== "false")) fail("true or false", text);
      return text === "true";
    }
    case "slice":
      return parseSlice(scanner, argument.item);
    case "map":
      return parseMap(scanner, argument.item);
    case "any":
      return parseArgument(scanner, guessType(scanner, !inSlice));
  }
}

function parseNumber(scanner: Scanner, type: "int" | "number"): number {
  const negative = scanner.raw[scanner.position] === "-";
  if (negative) scan(scanner);
  const { kind, text } = scan(scanner);
  if (kind !== "int" && (kind !== "float" || type === "int")) {
    fail(type === "int" ? "an integer" : "a number", text);
  }
  if (/[_xXoObB]/.test(text)) fail("a decimal number", text);
  const value = Number(text);
  return negative ? -value : value;
}

function parseString(scanner: Scanner): string {
  const { kind, text, start } = scan(scanner, false);
  if (kind === "string" || kind === "rawString") return unquote(text);
  let next = peek(scanner);
  while (next !== "" && !",;:}".includes(next)) {
    scan(scanner, false);
    next = peek(scanner);
  }
  return scanner.raw.slice(start, scanner.last.start + scanner.last.text.length);
}

function parseSlice(scanner: Scanner, item: Argument): Json[] {
  const values: Json[] = [];
  if (peek(scanner) === "{") {
    scan(scanner);
    while (peek(scanner) !== "}" && peek(scanner) !== "") {
      values.push(parseArgument(scanner, item, true));
      if (peek(scanner) === "}") break;
      expect(scanner, ",", "a comma");
    }
    expect(scanner, "}", "a closing brace");
    return values;
  }
  while (!",}".includes(peek(scanner)) || peek(scanner) === "") {
    if (peek(scanner) === "") break;
    values.push(parseArgument(scanner, item, true));
    const next = peek(scanner);
    if (next === "" || next === "," || next === "}") break;
    expect(scanner, ";", "a semicolon or a comma");
  }
  return values;
}

function parseMap(scanner: Scanner, item: Argument): Json {
  const entries: [string, Json][] = [];
  expect(scanner, "{", "an opening brace");
  while (peek(scanner) !== "}" && peek(scanner) !== "") {
    const key = parseString(scanner);
    expect(scanner, ":", "a colon");
    entries.push([key, parseArgument(scanner, item)]);
    if (peek(scanner) === "}") break;
    expect(scanner, ",", "a comma");
  }
  expect(scanner, "}", "a closing brace");
  return Object.fromEntries(entries);
}

/** Guesses the type of the next value. Does not move the scanner. */
function guessType(scanner: Scanner, allowSlice: boolean): Argument {
  if (allowSlice) {
    const item = guessType(scanner, false);
    const ahead = createScanner(scanner.raw, scanner.position);
    let token = scan(ahead);
    while (token.kind !== "end" && token.text !== "," && token.text !== ";") token = scan(ahead);
    return token.text === ";" ? { type: "slice", item } : item;
  }
  const ahead = createScanner(scanner.raw, scanner.position);
  const next = peek(ahead);
  if (next === '"' || next === "'" || next === "`") return { type: "string" };
  if (next === "{") return guessBraces(ahead);
  const { kind, text } = scan(ahead);
  if (kind === "ident") return text === "true" || text === "false" ? { type: "bool" } : { type: "string" };
  const value = text === "-" ? scan(ahead) : { kind };
  if (value.kind === "int") return { type: "int" };
  return value.kind === "float" ? { type: "number" } : { type: "string" };
}

/** Guesses a map if the braces are empty or begin with a string and a colon, and a list otherwise. */
function guessBraces(ahead: Scanner): Argument {
  scan(ahead);
  const isEmpty = peek(ahead) === "}";
  const item = guessType(ahead, false);
  if (item.type === "string") {
    if (isEmpty) return { type: "map", item: { type: "any" } };
    parseString(ahead);
    if (scan(ahead).text === ":") return { type: "map", item: { type: "any" } };
  }
  return { type: "slice", item };
}

/** @throws SyntaxError if the next token is not `text`. `what` describes that token in the message. */
export function expect(scanner: Scanner, text: string, what: string): void {
  const token = scan(scanner);
  if (token.text !== text) fail(what, token.text);
}

function fail(what: string, found: string): never {
  throw new SyntaxError(
    `expected ${what}, ${found === "" ? "but the text ends" : `not ${JSON.stringify(found)}`}`,
  );
}
