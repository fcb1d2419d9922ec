/** A token of a marker's arguments, as Go's text/scanner cuts them with the modes that controller-tools sets. */
export interface Token {
  readonly kind: "ident" | "int" | "float" | "string" | "rawString" | "char" | "end";
  readonly text: string;
  /** Of its first character. */
  readonly start: number;
}

export interface Scanner {
  readonly raw: string;
  /** Where the next token is looked for. */
  position: number;
  /** The token that was read last. */
  last: Token;
}

export function createScanner(raw: string, position = 0): Scanner {
  return { raw, position, last: { kind: "end", text: "", start: position } };
}

/** The next character that is no white space, without reading it; "" at the end. */
export function peek(scanner: Scanner): string {
  while (/^[ \t\r\n]$/.test(scanner.raw[scanner.position] ?? "")) scanner.position++;
  return scanner.raw[scanner.position] ?? "";
}

const number =
  /(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?)/y;
const ident = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const doubleQuoted = /"(?:[^"\\\n]|\\.)*"/y;
const backQuoted = /`[^`]*`/y;
/** Go's own escapes, and only these: a regular expression's belong into back quotes. */
const wrongEscape =
  /(?<=(?<!\\)(?:\\\\)*)\\(?![abfnrtv\\"]|[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})./su;

/**
 * Reads a token.
 *
 * @param numbers whether digits are numbers; else each is a character of its own
 * @throws SyntaxError for a string without an end
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
    if (text === undefined) throw new SyntaxError(`the string ${scanner.raw.slice(start)} has no end`);
    const escaped = first === '"' ? wrongEscape.exec(text)?.[0] : undefined;
    if (escaped !== undefined) {
      throw new SyntaxError(
        `${escaped} is no escape of a string in double quotes: put it in \`back quotes\``,
      );
    }
    return take(first === '"' ? "string" : "rawString", text);
  }
  return take("char", String.fromCodePoint(scanner.raw.codePointAt(start) ?? 0));
}

function at(pattern: RegExp, { raw, position }: Scanner): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(raw)?.[0];
}
