import { isQualifiedName } from "../../lib/formats/names.ts";
import { badRequest, quote } from "../errors.ts";

type Operator = "in" | "notin" | "exists" | "!" | "gt" | "lt";

interface Requirement {
  key: string;
  operator: Operator;
  values: string[];
}

/** A parsed label selector. */
export interface LabelSelector {
  /** True when it matches everything. */
  readonly empty: boolean;
  matches(labels: Readonly<Record<string, string>> | undefined): boolean;
}

const separators = new Set(["(", ")", ",", "=", "==", "!=", "!", ">", "<", ""]);
const keyPattern =
  /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const valuePattern = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
const integerPattern = /^[+-]?[0-9]+$/;

/**
 * Parses the `labelSelector` parameter: `a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1`. Grammar and messages are
 * those of k8s.io/apimachinery/pkg/labels. @throws ApiStatusError 400
 */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements = parseRequirements(tokenize(text));
  return {
    empty: requirements.length === 0,
    matches: (labels = {}) => requirements.every((requirement) => matchesRequirement(requirement, labels)),
  };
}

function matchesRequirement(
  { key, operator, values }: Requirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "in":
      return value !== undefined && values.includes(value);
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
    default: {
      if (value === undefined || !integerPattern.test(value)) return false;
      const bound = BigInt(values[0] as string);
      return operator === "gt" ? BigInt(value) > bound : BigInt(value) < bound;
    }
  }
}

/** Splits into identifiers, operators and brackets. An empty string ends the list. */
function tokenize(text: string): string[] {
  return [...(text.match(/==|!=|[=!()<>,]|[^\s=!()<>,]+/g) ?? []), ""];
}

function parseRequirements(tokens: string[]): Requirement[] {
  const requirements: Requirement[] = [];
  let position = 0;
  const peek = () => tokens[position] ?? "";
  const next = () => tokens[position++] ?? "";
  const isIdentifier = (token: string) => !separators.has(token);

  function parseRequirement(): Requirement {
    const negated = peek() === "!";
    if (negated) next();
    const key = next();
    if (!isIdentifier(key)) throw unable(`found '${key}', expected: identifier`);
    const tooLong =
      key.split("/").length < 3 ? isQualifiedName(key).filter((error) => error.includes("no more than")) : [];
    if (tooLong.length > 0) throw unable(`<nil>: Invalid value: ${quote(key)}: ${tooLong.join("; ")}`);
    if (!keyPattern.test(key)) throw unable(`<nil>: Invalid value: ${quote(key)}: ${keyRule}`);
    if (peek() === "" || peek() === ",") return { key, operator: negated ? "!" : "exists", values: [] };
    if (negated) throw unable(`found '${peek()}', expected: ',' or 'end of string'`);
    return parseOperation(key);
  }

  function parseOperation(key: string): Requirement {
    const operator = next();
    switch (operator) {
      case "in":
      case "notin":
        return checked({ key, operator, values: parseList() });
      case "=":
      case "==":
        return checked({ key, operator: "in", values: [parseValue()] });
      case "!=":
        return checked({ key, operator: "notin", values: [parseValue()] });
      case ">":
      case "<":
        return checked({ key, operator: operator === ">" ? "gt" : "lt", values: [parseValue()] });
      default:
        throw unable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  function parseValue(): string {
    if (peek() === "" || peek() === ",") return "";
    const value = next();
    if (!isIdentifier(value)) throw unable(`found '${value}', expected: identifier`);
    return value;
  }

  /** Parses `(a,,b)`. An empty value counts as a value. */
  function parseList(): string[] {
    const open = next();
    if (open !== "(") throw unable(`found '${open}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      values.push(isIdentifier(peek()) ? next() : "");
      const separator = next();
      if (separator === ")") return [...new Set(values)];
      if (separator !== ",") throw unable(`found '${separator}', expected: ',' or ')'`);
    }
  }

  while (peek() !== "") {
    if (!isIdentifier(peek()) && peek() !== "!") {
      throw badRequest(`found '${peek()}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement());
    const separator = next();
    if (separator === "") break;
    if (separator !== ",") throw badRequest(`found '${separator}', expected: ',' or 'end of string'`);
    if (!isIdentifier(peek()) && peek() !== "!") {
      throw badRequest(`found '${peek()}', expected: identifier after ','`);
    }
  }
  return requirements;
}

function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement;
  for (const [index, value] of values.entries()) {
    if ((operator === "gt" || operator === "lt") && !integerPattern.test(value)) {
      throw unable(
        `values[${index}]: Invalid value: ${quote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    if (!valuePattern.test(value)) {
      throw unable(`values[${index}][${key}]: Invalid value: ${quote(value)}: ${valueRule}`);
    }
  }
  return requirement;
}

function unable(why: string) {
  return badRequest(`unable to parse requirement: ${why}`);
}

const keyRule =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
