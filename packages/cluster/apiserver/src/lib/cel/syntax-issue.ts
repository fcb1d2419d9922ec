import type { Issue } from "./errors.ts";
import type { Token } from "./lexer.ts";

// The messages are those of ANTLR, which parses expressions for cel-go.

/** The tokens that begin an operand. */
export const operand =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** The tokens that can follow the bracket of a call. */
export const operandOrEnd = operand.replace("'(', ", "'(', ')', ");

/** A token that the grammar does not allow. */
export class SyntaxIssue extends Error implements Issue {
  readonly position: number;

  constructor({ position }: Token, message: string) {
    super(`Syntax error: ${message}`);
    this.position = position;
  }
}

/** The tokens that can follow a closing bracket. */
const behindClosing = new Set([
  ...["<EOF>", "]", ")", "}", ",", "?", ":", ".", "[", "&&", "||", "+", "-", "*", "/", "%"],
  ...["<", "<=", ">=", ">", "==", "!=", "in"],
]);

/** Returns ANTLR's message for an extra token, a missing token, or a mismatch. */
export function unexpected(token: Token, next: Token | undefined, expected: string): string {
  if (next?.text === expected) return `extraneous input '${token.text}' expecting '${expected}'`;
  if (expected === ":" && isOperand(token)) return `missing ':' at '${token.text}'`;
  const closes = expected === ")" || expected === "]" || expected === "}";
  if (closes && behindClosing.has(token.text) && token.text !== ",") {
    return `missing '${expected}' at '${token.text}'`;
  }
  return `mismatched input '${token.text}' expecting '${expected}'`;
}

const openings = ["[", "{", "(", ".", "-", "!", "true", "false", "null"];

/** Returns whether an operand can begin with the token. */
export function isOperand({ kind, text }: Token): boolean {
  if (kind === "end" || kind === "escaped") return false;
  return kind !== "symbol" || openings.includes(text);
}

/** Returns the message for a missing operand. */
export function unexpectedOperand(tokens: readonly Token[], at: number, expected: string): string {
  const token = tokens[at] as Token;
  const what = token.kind !== "end" && isExtraneous(tokens, at, expected) ? "extraneous" : "mismatched";
  return `${what} input '${token.text}' expecting ${expected}`;
}

function isExtraneous(tokens: readonly Token[], at: number, expected: string): boolean {
  const next = tokens[at + 1];
  return next !== undefined && (isOperand(next) || (expected === operandOrEnd && next.text === ")"));
}
