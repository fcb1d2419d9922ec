import type { Expression, ListLiteral, MapLiteral } from "./ast.ts";
import { depthOf } from "./depth.ts";
import { CelCompileError, type Issue } from "./errors.ts";
import { type Token, tokenize } from "./lexer.ts";
import { readBytes, readNumber, readText } from "./literals.ts";
import { expandMacro, MacroIssue } from "./macros.ts";
import {
  isOperand,
  operand,
  operandOrEnd,
  SyntaxIssue,
  unexpected,
  unexpectedOperand,
} from "./syntax-issue.ts";

/** The deepest nesting of an expression (cel-go's default). */
const maximumDepth = 250;
/** The most code points of an expression (cel-go's default). */
const maximumLength = 100_000;

const reserved = new Set(
  "as break const continue else for function if import let loop namespace package return var void while".split(
    " ",
  ),
);
const relations = new Set(["<", "<=", ">=", ">", "==", "!=", "in"]);
const products = new Set(["*", "/", "%"]);
const sums = new Set(["+", "-"]);

/**
 * Parses an expression and expands its macros.
 *
 * @throws CelCompileError for invalid syntax, reserved names, and macros with wrong arguments
 */
export function parse(expression: string): Expression {
  const length = [...expression].length;
  if (length > maximumLength) {
    const message = `expression code point size exceeds limit: size: ${length}, limit ${maximumLength}`;
    throw new CelCompileError(expression, [{ position: 0, message }]);
  }
  const { tokens, issues } = tokenize(expression);
  try {
    const parsed = parseTokens(tokens, issues);
    if (issues.length === 0) return checkDepth(parsed);
  } catch (error) {
    if (!(error instanceof SyntaxIssue)) throw error;
    issues.push(error);
  }
  throw new CelCompileError(expression, issues);
}

/** Limits the depth, because all later phases are recursive. @throws CelCompileError */
function checkDepth(parsed: Expression): Expression {
  if (depthOf(parsed) <= maximumDepth) return parsed;
  // cel-go reports no position either.
  throw new CelCompileError("ERROR: <input>:-1:0: max recursion depth exceeded", []);
}

/** Parses by recursive descent, with the grammar of cel-go's CEL.g4. */
function parseTokens(tokens: readonly Token[], issues: Issue[]): Expression {
  let at = 0;
  let depth = 0;

  const peek = () => tokens[at] as Token;
  const isSymbol = (text: string) => peek().kind === "symbol" && peek().text === text;

  function accept(text: string): Token | undefined {
    if (!isSymbol(text)) return undefined;
    at += 1;
    return tokens[at - 1];
  }

  function expect(text: string): Token {
    const token = accept(text);
    if (token !== undefined) return token;
    throw new SyntaxIssue(peek(), unexpected(peek(), tokens[at + 1], text));
  }

  const call = (position: number, name: string, ...args: Expression[]): Expression => ({
    kind: "call",
    position,
    name,
    target: undefined,
    args,
  });

  function parseExpression(): Expression {
    depth += 1;
    if (depth > maximumDepth) {
      throw new SyntaxIssue(peek(), `expression recursion limit exceeded: ${maximumDepth}`);
    }
    const condition = parseOr();
    const sign = accept("?");
    let whole = condition;
    if (sign !== undefined) {
      const yes = parseOr();
      expect(":");
      whole = call(sign.position, "_?_:_", condition, yes, parseExpression());
    }
    depth -= 1;
    return whole;
  }

  /** Parses a chain into a balanced tree, so that a long one is not too deep. */
  function parseChain(sign: "||" | "&&", parseTerm: () => Expression): Expression {
    const terms = [parseTerm()];
    const signs: Token[] = [];
    for (let token = accept(sign); token !== undefined; token = accept(sign)) {
      signs.push(token);
      terms.push(parseTerm());
    }
    const balance = (low: number, high: number): Expression => {
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? (terms[middle] as Expression) : balance(low, middle - 1);
      const right = middle === high ? (terms[middle + 1] as Expression) : balance(middle + 1, high);
      return call(signs[middle]?.position ?? 0, `_${sign}_`, left, right);
    };
    if (signs.length === 0) return terms[0] as Expression;
    return balance(0, signs.length - 1);
  }

  const parseOr = () => parseChain("||", parseAnd);
  const parseAnd = () => parseChain("&&", () => parseBinary(relations, parseSum));
  const parseSum = () => parseBinary(sums, () => parseBinary(products, parseUnary));

  function parseBinary(signs: ReadonlySet<string>, parseTerm: () => Expression): Expression {
    let left = parseTerm();
    while (peek().kind === "symbol" && signs.has(peek().text)) {
      const sign = peek();
      at += 1;
      left = call(sign.position, sign.text === "in" ? "@in" : `_${sign.text}_`, left, parseTerm());
    }
    return left;
  }

  function parseUnary(): Expression {
    const first = peek();
    const sign = isSymbol("!") ? "!" : isSymbol("-") ? "-" : undefined;
    const next = tokens[at + 1];
    const isNumber = sign === "-" && (next?.kind === "int" || next?.kind === "double");
    if (sign === undefined || isNumber) return parseMember();
    let count = 0;
    while (isSymbol(sign) && !(sign === "-" && count > 0 && isNegativeNumber())) {
      at += 1;
      count += 1;
    }
    const inner = parseMember();
    return count % 2 === 0 ? inner : call(first.position, `${sign}_`, inner);
  }

  const isNegativeNumber = () => ["int", "double"].includes(tokens[at + 1]?.kind ?? "");

  function parseMember(): Expression {
    let whole = parsePrimary();
    for (;;) {
      const dot = accept(".");
      if (dot !== undefined) {
        whole = parseSelection(whole, dot);
        continue;
      }
      const bracket = accept("[");
      if (bracket === undefined) return whole;
      const optional = accept("?") !== undefined;
      const index = parseExpression();
      expect("]");
      whole = call(bracket.position, optional ? "_[?_]" : "_[_]", whole, index);
    }
  }

  function parseSelection(target: Expression, dot: Token): Expression {
    const optional = accept("?") !== undefined;
    const token = peek();
    if (token.kind !== "identifier" && token.kind !== "escaped") {
      const text = token.kind === "end" ? "" : token.text;
      throw new SyntaxIssue(
        token,
        ["true", "false", "null"].includes(text)
          ? `mismatched input '${text}' expecting IDENTIFIER`
          : `no viable alternative at input '.${optional ? "?" : ""}${text}'`,
      );
    }
    at += 1;
    const field = token.kind === "escaped" ? token.text.slice(1, -1) : token.text;
    if (optional) {
      const name: Expression = { kind: "literal", position: token.position, value: field };
      return call(dot.position, "_?._", target, name);
    }
    const open = token.kind === "identifier" ? accept("(") : undefined;
    if (open === undefined) {
      return { kind: "select", position: dot.position, operand: target, field, test: false };
    }
    return callOf(field, target, parseArguments(")"), open.position);
  }

  function callOf(
    name: string,
    target: Expression | undefined,
    args: Expression[],
    position: number,
  ): Expression {
    try {
      return expandMacro(name, target, args, position) ?? { kind: "call", position, name, target, args };
    } catch (error) {
      if (!(error instanceof MacroIssue)) throw error;
      issues.push(error);
      return { kind: "literal", position, value: null };
    }
  }

  function parseArguments(close: string): Expression[] {
    const args: Expression[] = [];
    if (accept(close) !== undefined) return args;
    if (!isOperand(peek())) throw new SyntaxIssue(peek(), unexpectedOperand(tokens, at, operandOrEnd));
    do args.push(parseExpression());
    while (accept(",") !== undefined);
    expect(close);
    return args;
  }

  function parsePrimary(): Expression {
    const token = peek();
    const { position, text, kind } = token;
    if (kind === "int" || kind === "uint" || kind === "double") return parseNumber("");
    if (kind === "symbol") {
      if (text === "-" && isNegativeNumber()) {
        at += 1;
        return { ...parseNumber("-"), position };
      }
      if (accept("true") || accept("false")) return { kind: "literal", position, value: text === "true" };
      if (accept("null")) return { kind: "literal", position, value: null };
      if (accept("[")) return parseList(position);
      if (accept("{")) return parseMap(position);
      if (accept("(")) {
        const inner = parseExpression();
        expect(")");
        return inner;
      }
      if (isSymbol(".") && tokens[at + 1]?.kind === "identifier") {
        at += 1;
        return parseName(".");
      }
    }
    if (kind === "identifier") return parseName("");
    if (kind === "string" || kind === "bytes") {
      at += 1;
      try {
        const value = kind === "string" ? readText(text) : readBytes(text);
        return { kind: "literal", position, value };
      } catch (error) {
        issues.push({ position, message: (error as Error).message });
        return { kind: "literal", position, value: null };
      }
    }
    throw new SyntaxIssue(token, unexpectedOperand(tokens, at, operand));
  }

  function parseNumber(sign: "" | "-"): Expression {
    const { kind, text, position } = peek();
    at += 1;
    const value = readNumber(kind, sign + text);
    if (value !== undefined) return { kind: "literal", position, value };
    issues.push({ position: position - sign.length, message: `invalid ${kind} literal` });
    return { kind: "literal", position, value: null };
  }

  function parseName(prefix: "" | "."): Expression {
    const { position, text } = peek();
    at += 1;
    const start = position - prefix.length;
    const message = messageName(text);
    if (message !== undefined) return parseMessage(prefix + message);
    if (reserved.has(text)) {
      issues.push({ position: start, message: `reserved identifier: ${text}` });
      if (accept("(")) parseArguments(")");
      return { kind: "literal", position, value: null };
    }
    const open = accept("(");
    if (open === undefined) return { kind: "identifier", position, name: prefix + text };
    return callOf(prefix + text, undefined, parseArguments(")"), open.position);
  }

  /** Returns the name of a message: `a.b.C`, if a brace follows. */
  function messageName(first: string): string | undefined {
    let ahead = at;
    let name = first;
    while (tokens[ahead]?.text === "." && tokens[ahead + 1]?.kind === "identifier") {
      name += `.${tokens[ahead + 1]?.text}`;
      ahead += 2;
    }
    if (tokens[ahead]?.kind !== "symbol" || tokens[ahead]?.text !== "{") return undefined;
    at = ahead;
    return name;
  }

  function parseMessage(name: string): Expression {
    const { position } = expect("{");
    while (!isSymbol("}") && peek().kind !== "end") {
      accept("?");
      at += 1;
      expect(":");
      parseExpression();
      if (accept(",") === undefined) break;
    }
    expect("}");
    return { kind: "message", position, name };
  }

  /** Parses the end of a literal. Another element may follow an element, but not a final comma. */
  function closeLiteral(sign: "]" | "}", hasElements: boolean): void {
    if (isSymbol(sign) || !hasElements || tokens[at - 1]?.text === ",") {
      expect(sign);
      return;
    }
    throw new SyntaxIssue(peek(), `mismatched input '${peek().text}' expecting {'${sign}', ','}`);
  }

  const isElement = () => isSymbol("?") || isOperand(peek());

  function parseList(position: number): Expression {
    const elements: ListLiteral["elements"][number][] = [];
    while (elements.length === 0 ? !isSymbol("]") : isElement()) {
      if (elements.length === 0 && accept(",")) break;
      const optional = accept("?") !== undefined;
      elements.push({ value: parseExpression(), optional });
      if (accept(",") === undefined) break;
    }
    closeLiteral("]", elements.length > 0);
    return { kind: "list", position, elements };
  }

  function parseMap(position: number): Expression {
    const entries: MapLiteral["entries"][number][] = [];
    while (entries.length === 0 ? !isSymbol("}") : isElement()) {
      if (entries.length === 0 && accept(",")) break;
      const optional = accept("?") !== undefined;
      const key = parseExpression();
      expect(":");
      entries.push({ key, value: parseExpression(), optional });
      if (accept(",") === undefined) break;
    }
    closeLiteral("}", entries.length > 0);
    return { kind: "map", position, entries };
  }

  const whole = parseExpression();
  if (peek().kind !== "end") {
    const token = peek();
    const what = tokens[at + 1]?.kind === "end" ? "extraneous" : "mismatched";
    throw new SyntaxIssue(token, `${what} input '${token.text}' expecting <EOF>`);
  }
  return whole;
}
