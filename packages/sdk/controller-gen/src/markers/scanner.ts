/** A token of a marker's arguments, as Go's text/scanner finds it in the modes that controller-tools sets. */
export interface Token {
  readonly kind: "ident" | "int" | "float" | "string" | "rawString" | "char" | "end";
  readonly text: string;
  /** Offset of its first character. */
  readonly start: number;
}

export interface Scanner {
  readonly raw: string;
  /** Offset at which the scanner looks for the next token. */
  position: number;
  /** The last token that the scanner read. */
  last: Token;
}

export function createScanner(raw: string, position = 0): Scanner {
  return { raw, position, last: { kind: "end", text: "", start: position } };
}

/** Returns the next character that is not white space, or "" at the end. Skips the white space only. */
export function peek(scanner: Scanner): string {
  while (/^[ \t\r\n]$/.test(scanner.raw[scanner.position] ?? "")) scanner.position++;
  return scanner.raw[scanner.position] ?? "";
}

const number =
  /(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?)/y;
const ident = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const doubleQuoted = /"(?:[^"\\\n]|\\.)*"/y;
const backQuoted = /`[^`]*`/y;
/** An escape that Go does not have, such as one of a regular expression. Such text needs back quotes. */
const invalidEscape =
  /(?<=(?<!\\)(?:\\\\)*)\\(?![abfnrtv\\"]|[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})./su;

/**
 * Reads a token.
 *
 * @param numbers whether digits form a number; if false, each digit is a token
 * @throws SyntaxError for a string without an end or with an invalid escape
 */
export function scan(scanner: Scanner, numbers = true): Token {
  const first = peek(scanner);
  const start = scanner.position;
  const take = (kind: Token["kind"], text: string): Token => {
    scanner.position = start + text.length;
    scanner.last = { kind, text, start };
    return scanner.last;
  };
  if (first === "") return take("end", "");
  const word = at(ident, scanner);
  if (word !== undefined) return take("ident", word);
  if (numbers) {
    const digits = at(number, scanner);
    if (digits !== undefined) return take(/^0[xXoObB]|^[0-9_]+$/.test(digits) ? "int" : "float", digits);
  }
  if (first === '"' || first === "`") {
    const text = at(first === '"' ? doubleQuoted : backQuoted, scanner);
    if (text === undefined)
      throw new SyntaxError(`the string ${scanner.raw.slice(start)} has no closing quote`);
    const escaped = first === '"' ? invalidEscape.exec(text)?.[0] : undefined;
    if (escaped !== undefined) {
      throw new SyntaxError(`${escaped} is not a valid escape in double quotes: use \`back quotes\``);
    }
    return take(first === '"' ? "string" : "rawString", text);
  }
  return take("char", String.fromCodePoint(scanner.raw.codePointAt(start) ?? 0));
}

function at(pattern: RegExp, { raw, position }: Scanner): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(raw)?.[0];
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
};

/** Returns the value of a Go string literal in double quotes or back quotes (Go: strconv.Unquote). */
export function unquote(literal: string): string {
  const inner = literal.slice(1, -1);
  if (literal.startsWith("`")) return inner.replaceAll("\r", "");
  return inner.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gu,
    (_, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return simpleEscapes[letter ?? ""] ?? "";
    },
  );
}
