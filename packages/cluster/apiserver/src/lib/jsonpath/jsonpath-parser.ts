import type { JsonValue } from "../json/json.ts";

export type Step =
  | { type: "field"; name: string }
  | { type: "wildcard" }
  /** The value itself and everything inside it. */
  | { type: "recursive" }
  | { type: "slice"; start: number | undefined; end: number | undefined; step: number }
  | { type: "filter"; filter: Filter }
  | { type: "union"; branches: Step[][] };

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "exists";

/** `@.type=="Ready"`: each side is a path from the item, or a literal. */
export interface Filter {
  left: { path: Step[] } | { literal: JsonValue };
  operator: Operator;
  right?: { path: Step[] } | { literal: JsonValue };
}

const OPERATORS = ["==", "!=", "<=", ">=", "<", ">"] as const;

/** Parses a path. @throws Error that says where the path becomes invalid */
export function parseJsonPath(text: string): Step[] {
  const inner = text.startsWith("{") && text.endsWith("}") ? text.slice(1, -1) : text;
  const steps: Step[] = [];
  let rest = inner.replace(/^[$@](?=[.[]|$)/, "");
  while (rest !== "") {
    const [step, length] = nextStep(rest, text);
    steps.push(...step);
    rest = rest.slice(length);
  }
  return steps;
}

/** Returns the first steps of the text, and their length. */
function nextStep(rest: string, whole: string): [Step[], number] {
  if (rest.startsWith("[")) {
    const length = bracketLength(rest, whole);
    return [[parseBracket(rest.slice(1, length - 1).trim(), whole)], length];
  }
  const field = /^(\.{0,2})((?:\\.|[^.[\]\s\\(){}'",|])*)/.exec(rest);
  const dots = field?.[1] ?? "";
  const name = (field?.[2] ?? "").replaceAll(/\\(.)/g, "$1");
  const length = (field?.[0] ?? "").length;
  const recursive: Step[] = dots === ".." ? [{ type: "recursive" }] : [];
  if (name === "*") return [[...recursive, { type: "wildcard" }], length];
  if (name !== "") return [[...recursive, { type: "field", name }], length];
  // A dot at the end, or before a bracket, means the value itself.
  if (dots !== "" && (length === rest.length || rest[length] === "[")) return [recursive, length];
  throw new Error(
    `unrecognized character at ${JSON.stringify(rest)} in the JSONPath ${JSON.stringify(whole)}`,
  );
}

/** Returns the length up to the matching bracket. Ignores brackets in quotes. */
function bracketLength(text: string, whole: string): number {
  let depth = 0;
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (quote !== "") {
      if (char === "\\") at += 1;
      else if (char === quote) quote = "";
    } else if (char === "'" || char === '"') {
      quote = char;
    } else if (char === "[") {
      depth += 1;
    } else if (char === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new Error(`unterminated array in the JSONPath ${JSON.stringify(whole)}`);
}

function parseBracket(inner: string, whole: string): Step {
  if (inner === "*") return { type: "wildcard" };
  const filter = /^\?\((.*)\)$/s.exec(inner);
  if (filter !== null) return { type: "filter", filter: parseFilter((filter[1] ?? "").trim(), whole) };
  const parts = splitOutsideQuotes(inner, ",");
  if (parts.length > 1) {
    return { type: "union", branches: parts.map((part) => [parseBracket(part.trim(), whole)]) };
  }
  const quoted = /^(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")$/s.exec(inner);
  if (quoted !== null) return { type: "field", name: unquote(quoted[1] ?? quoted[2] ?? "") };
  const index = /^(-?\d+)$/.exec(inner);
  if (index !== null) {
    const start = Number(index[1]);
    // [-1] is the last item: no position after it can be written.
    return { type: "slice", start, end: start === -1 ? undefined : start + 1, step: 1 };
  }
  const range = /^(-?\d+)?:(-?\d+)?(?::(\d+)?)?$/.exec(inner);
  const step = Number(range?.[3] ?? 1);
  if (range === null || step < 1) {
    throw new Error(`invalid array index ${inner} in the JSONPath ${JSON.stringify(whole)}`);
  }
  return { type: "slice", start: optionalNumber(range[1]), end: optionalNumber(range[2]), step };
}

function parseFilter(text: string, whole: string): Filter {
  for (let at = 0; at < text.length; at += 1) {
    at = skipQuoted(text, at);
    const operator = OPERATORS.find((candidate) => text.startsWith(candidate, at));
    if (operator === undefined) continue;
    return {
      left: parseOperand(text.slice(0, at).trim(), whole),
      operator,
      right: parseOperand(text.slice(at + operator.length).trim(), whole),
    };
  }
  return { left: parseOperand(text, whole), operator: "exists" };
}

function parseOperand(text: string, whole: string): Filter["left"] {
  if (text.startsWith("@") || text.startsWith("$")) return { path: parseJsonPath(text) };
  const quoted = /^(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")$/s.exec(text);
  if (quoted !== null) return { literal: unquote(quoted[1] ?? quoted[2] ?? "") };
  if (text === "true" || text === "false") return { literal: text === "true" };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { literal: Number(text) };
  throw new Error(`unrecognized operand ${JSON.stringify(text)} in the JSONPath ${JSON.stringify(whole)}`);
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    at = skipQuoted(text, at);
    if (text[at] !== separator) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** Returns the position after a quoted text. Returns `start` if no quoted text begins there. */
function skipQuoted(text: string, start: number): number {
  const quote = text[start];
  if (quote !== "'" && quote !== '"') return start;
  let at = start + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function unquote(text: string): string {
  return text.replaceAll(/\\(.)/gs, "$1");
}

function optionalNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
