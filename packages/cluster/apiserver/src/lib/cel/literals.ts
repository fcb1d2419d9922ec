import type { TokenKind } from "./lexer.ts";
import { CelUint, isInt64, isUint64 } from "./values.ts";

/** Parses a number. @param text with its sign @returns undefined if it does not fit into 64 bits */
export function readNumber(kind: TokenKind, text: string): bigint | number | CelUint | undefined {
  if (kind === "double") {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const digits = kind === "uint" ? text.slice(0, -1) : text;
  const value = digits.startsWith("-") ? -BigInt(digits.slice(1)) : BigInt(digits);
  if (kind === "uint") return isUint64(value) ? new CelUint(value) : undefined;
  return isInt64(value) ? value : undefined;
}

const simple: Record<string, string> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** Parses a string literal. @throws Error for an escape that is not a character */
export function readText(token: string): string {
  const { body, raw } = unquote(token);
  if (raw) return body;
  return body.replace(
    /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/gs,
    (...match) => {
      const [, byte, short, long, octal, character] = match as (string | undefined)[];
      if (character !== undefined) return simple[character] ?? character;
      const code =
        octal === undefined ? Number.parseInt(byte ?? short ?? long ?? "", 16) : Number.parseInt(octal, 8);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        throw new Error("invalid unicode code point");
      return String.fromCodePoint(code);
    },
  );
}

/** Parses `b"…"`: characters become UTF-8, `\x` and octal escapes bytes. @throws Error like readText */
export function readBytes(token: string): Uint8Array {
  const { body, raw } = unquote(token.slice(1));
  const parts = raw ? [body] : body.split(/(\\[xX][0-9a-fA-F]{2}|\\[0-3][0-7]{2})/);
  return Buffer.concat(
    parts.map((part, index) => {
      if (raw || index % 2 === 0) return Buffer.from(raw ? part : readText(`"${part}"`), "utf8");
      const isHex = /^\\[xX]/.test(part);
      return Buffer.from([Number.parseInt(part.slice(isHex ? 2 : 1), isHex ? 16 : 8)]);
    }),
  );
}

function unquote(token: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(token);
  const quoted = raw ? token.slice(1) : token;
  const width = /^("""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  const body = quoted.slice(width, -width);
  return { body: body.replace(/\r\n?/g, "\n"), raw };
}
