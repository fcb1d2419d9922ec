import type { Issue } from "./errors.ts";

export type TokenKind =
  | "identifier"
  | "escaped"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "symbol"
  | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The text in the expression, or `<EOF>` at the end. `in`, `true`, `false` and `null` are symbols. */
  readonly text: string;
  readonly position: number;
}

const words = new Set(["in", "true", "false", "null"]);

const escaped = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const quoted = [
  String.raw`"""(?:${escaped}|[^\\])*?"""`,
  String.raw`'''(?:${escaped}|[^\\])*?'''`,
  String.raw`"(?:${escaped}|[^\\"\n\r])*"`,
  String.raw`'(?:${escaped}|[^\\'\n\r])*'`,
  String.raw`[rR]"""[\s\S]*?"""`,
  String.raw`[rR]'''[\s\S]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
].join("|");

/** In the order in which they are tried, with the longest number first (parser/gen/CEL.g4 of cel-go). */
const patterns: readonly (readonly [TokenKind | "space", RegExp])[] = [
  ["space", /[\t \r\n\f]+|\/\/[^\n]*/y],
  ["bytes", new RegExp(`[bB](?:${quoted})`, "y")],
  ["string", new RegExp(quoted, "y")],
  ["double", /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ["uint", /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ["int", /0x[0-9a-fA-F]+|\d+/y],
  ["identifier", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["escaped", /`[A-Za-z0-9_.\-/ ]+`/y],
  ["symbol", /==|!=|<=|>=|&&|\|\||[[\]{}().,\-!?:+*/%<>]/y],
];

/** Splits an expression into tokens. Skips other characters and reports them. */
export function tokenize(expression: string): { tokens: Token[]; issues: Issue[] } {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let position = 0;
  next: while (position < expression.length) {
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = position;
      const text = pattern.exec(expression)?.[0];
      if (text === undefined) continue;
      if (kind !== "space") {
        const isWord = kind === "identifier" && words.has(text);
        tokens.push({ kind: isWord ? "symbol" : kind, text, position });
      }
      position += text.length;
      continue next;
    }
    const unknown = unrecognized(expression, position);
    issues.push({ position, message: `Syntax error: token recognition error at: '${unknown}'` });
    position += unknown.length;
  }
  tokens.push({ kind: "end", text: "<EOF>", position: expression.length });
  return { tokens, issues };
}

/**
 * Returns the text that the lexer had to read before it failed: an unclosed string up to the end of its line,
 * else one character.
 */
function unrecognized(expression: string, position: number): string {
  const rest = expression.slice(position);
  const open = /^(?:"(?:\\.|[^\\"\n\r])*|'(?:\\.|[^\\'\n\r])*)[\n\r]?/.exec(rest);
  if (open !== null) return open[0];
  const [character = ""] = rest;
  if (/^[&|=]/.test(rest)) return character + (rest[1] ?? "");
  return character;
}
