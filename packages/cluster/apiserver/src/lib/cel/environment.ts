import { adapt } from "./adapt.ts";
import type { Expression } from "./ast.ts";
import { type Checked, check } from "./checker.ts";
import { estimateCost, type Path } from "./cost/estimate.ts";
import type { Range } from "./cost/range.ts";
import { CelCompileError, CelEvaluationError, CelResultTypeError } from "./errors.ts";
import type { Frame, Names } from "./frame.ts";
import { joinLibraries } from "./functions.ts";
import { compile } from "./interpreter.ts";
import { addresses, cidrType, ipType } from "./library/addresses.ts";
import { authorizer } from "./library/authorizer.ts";
import { conversions } from "./library/conversions.ts";
import { lists } from "./library/lists.ts";
import { maps } from "./library/maps.ts";
import { formatType, namedFormats } from "./library/named-formats.ts";
import { operators } from "./library/operators.ts";
import { optionals } from "./library/optionals.ts";
import { quantities, quantityType } from "./library/quantities.ts";
import { regexes } from "./library/regex.ts";
import { semvers, semverType } from "./library/semvers.ts";
import { strings } from "./library/strings.ts";
import { times } from "./library/time.ts";
import { urls, urlType } from "./library/urls.ts";
import { checkLiterals } from "./literal-checks.ts";
import { parse } from "./parser.ts";
import {
  anyTypeType,
  bool,
  bytes,
  type CelType,
  double,
  duration,
  dyn,
  int,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  parameter,
  string,
  timestamp,
  typeOf,
  uint,
} from "./types.ts";
import type { CelValue } from "./values.ts";

/** The highest cost of one evaluation, in cel-go's units (PerCallLimit of k8s.io/apiserver/pkg/apis/cel). */
export const perCallLimit = 1_000_000;

/** A compiled expression: compile it once, evaluate it often. */
export interface CelProgram {
  /** The type of the result. `dyn` if only an evaluation shows it. */
  readonly type: CelType;
  /** The variables that the expression uses. */
  readonly variables: ReadonlySet<string>;
  /**
   * Returns the highest cost, in cel-go's units.
   * @param sizeAt returns the size of the value at a path from a variable: `["self", "names", "@items"]`
   */
  estimate(sizeAt: (path: Path) => Range | undefined): number;
  /**
   * Evaluates the expression.
   *
   * @param variables values by name: JSON or CEL values. A function is called when its variable is read
   * @param options `budget`: cost units that this evaluation may use, at most perCallLimit. It is reduced by
   *   the actual cost
   * @throws CelEvaluationError if there is no value, or the cost is too high
   */
  evaluate(variables: Record<string, unknown>, options?: { budget?: CostBudget }): CelValue;
}

/** Cost units that several evaluations share. */
export interface CostBudget {
  left: number;
}

interface CompileOptions {
  /** The types of the available variables. */
  readonly variables: Readonly<Record<string, CelType>>;
  /** The required type of the result. Default: any. */
  readonly expects?: "bool" | "string" | "any";
}

/**
 * Compiles an expression with the functions that Kubernetes 1.36 offers to all expressions.
 *
 * @throws CelCompileError with cel-go's message: `ERROR: <input>:1:5: undefined field 'foo'\n | …`
 */
export function compileExpression(expression: string, options: CompileOptions): CelProgram {
  const parsed = parse(expression);
  const { type, used, checked } = typeCheck(expression, parsed, options);
  const names: Names = {
    functions: allFunctions(),
    types: new Set(Object.keys(typeNames)),
    isVariable: (name) => Object.hasOwn(options.variables, name),
  };
  const run = compile(parsed, names);
  return {
    type,
    variables: used,
    estimate: (sizeAt) => estimateCost(parsed, checked, sizeAt).max,
    evaluate(variables, { budget } = {}) {
      const limit = Math.min(perCallLimit, budget?.left ?? perCallLimit);
      const frame = createFrame(variables, limit);
      try {
        return run(frame);
      } finally {
        if (budget !== undefined) budget.left -= limit - frame.budget;
      }
    },
  };
}

function createFrame(variables: Record<string, unknown>, budget: number): Frame {
  const known = new Map<string, CelValue>();
  return {
    locals: [],
    budget,
    variable(name) {
      const value = known.get(name);
      if (value !== undefined) return value;
      if (!Object.hasOwn(variables, name)) throw new CelEvaluationError(`no such attribute(s): ${name}`);
      const given = variables[name];
      const adapted = adapt(typeof given === "function" ? given() : given);
      known.set(name, adapted);
      return adapted;
    },
  };
}

interface Typed {
  /** The type of the result. */
  readonly type: CelType;
  readonly used: ReadonlySet<string>;
  readonly checked: Checked;
}

/** Checks the types of a parsed expression. @throws CelCompileError or CelResultTypeError */
function typeCheck(expression: string, parsed: Expression, { variables, expects }: CompileOptions): Typed {
  const used = new Set<string>();
  const checked = check(parsed, {
    functions: allFunctions(),
    identifier(name) {
      const type = own(variables, name);
      if (type !== undefined) used.add(name);
      return type ?? own(typeNames, name);
    },
  });
  const { types, issues } = checked;
  if (issues.length > 0) throw new CelCompileError(expression, issues);
  const literals = checkLiterals(parsed, types);
  if (literals.length > 0) throw new CelCompileError(expression, literals);
  const type = types.get(parsed) ?? dyn;
  if (expects !== "bool" && expects !== "string") return { type, used, checked };
  if (type.kind === expects || type.kind === "dyn") return { type, used, checked };
  throw new CelResultTypeError(expects, type);
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

const list = listOf(parameter("A"));
const map = mapOf(parameter("A"), parameter("B"));

/** Types that expressions can name as values. */
const typeNames: Readonly<Record<string, CelType>> = {
  bool: typeOf(bool),
  bytes: typeOf(bytes),
  double: typeOf(double),
  "google.protobuf.Duration": typeOf(duration),
  "google.protobuf.Timestamp": typeOf(timestamp),
  int: typeOf(int),
  "kubernetes.NamedFormat": typeOf(formatType),
  "kubernetes.Quantity": typeOf(quantityType),
  "kubernetes.Semver": typeOf(semverType),
  "kubernetes.URL": typeOf(urlType),
  list: typeOf(list),
  map: typeOf(map),
  "net.CIDR": typeOf(cidrType),
  "net.IP": typeOf(ipType),
  null_type: typeOf(nullType),
  optional_type: typeOf(optionalOf(parameter("V"))),
  string: typeOf(string),
  type: typeOf(anyTypeType),
  uint: typeOf(uint),
};

let functions: ReturnType<typeof joinLibraries> | undefined;

/**
 * Returns all functions. Creates them for the first expression, so that a server without expressions does not
 * pay for them.
 */
function allFunctions(): ReturnType<typeof joinLibraries> {
  functions ??= joinLibraries([
    operators,
    conversions,
    strings,
    regexes,
    times,
    optionals,
    lists,
    maps,
    quantities,
    urls,
    addresses,
    namedFormats,
    semvers,
    authorizer,
  ]);
  return functions;
}
