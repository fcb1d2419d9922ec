import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CelProgram, compileExpression } from "./environment.ts";
import { CelCompileError, CelEvaluationError, CelProgramError } from "./errors.ts";
import { formatDuration, formatTimestamp } from "./library/time.ts";
import { type CelType, dyn, formatType, int, listOf, mapOf, string } from "./types.ts";
import {
  CelDuration,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  typeNameOf,
} from "./values.ts";

// About 600 expressions with their values and errors in the environment of Kubernetes 1.36
// (scripts/record-expressions).

interface Recorded {
  expr: string;
  vars?: Record<string, unknown>;
  type?: string;
  compile?: string;
  error?: string;
  value?: unknown;
}

const variables: Record<string, CelType> = {
  x: dyn,
  y: dyn,
  i: int,
  s: string,
  li: listOf(int),
  ls: listOf(string),
  ms: mapOf(string, string),
};

const path = join(import.meta.dirname, "recorded/expressions.json");
const recorded = JSON.parse(readFileSync(path, "utf8")) as Recorded[];

/** Differences on purpose. When a difference disappears, the test fails, and its entry can be removed. */
const deviations: Record<string, string> = {
  "{x: 1}": "a list is no key of a map; cel-go takes one that it sees only when it runs",
  "x.in": "after an error of syntax nothing more is looked for",
  in: "after an error of syntax nothing more is looked for",
  "timestamp('2020-01-01T00:00:00+01:00')":
    "a time is shown in UTC, by cel-go in the zone that it was written in",
  "'%.1f'.format([1234567.25])": "halves are rounded up, by cel-go to the even digit",
};

describe.each(recorded.map((entry) => [entry.expr, entry] as const))("%s", (expression, entry) => {
  test(`with ${JSON.stringify(entry.vars ?? {})}`, () => {
    const { expr: _expression, vars = {}, ...real } = entry;
    const actual = answer(expression, vars, real.type);
    if (Object.hasOwn(deviations, expression)) expect(actual).not.toEqual(real);
    else expect(actual).toEqual(real);
  });
});

function answer(
  expression: string,
  vars: Record<string, unknown>,
  type: string | undefined,
): Omit<Recorded, "expr"> {
  let program: CelProgram;
  try {
    program = compileExpression(expression, { variables });
  } catch (error) {
    // The type is known, but only a program shows it, and this expression has none.
    if (error instanceof CelProgramError)
      return { ...(type === undefined ? {} : { type }), error: error.message };
    if (error instanceof CelCompileError) return { compile: error.message };
    throw error;
  }
  try {
    const value = recordedForm(program.evaluate(vars));
    return { type: typeName(program.type), ...(value === undefined ? {} : { value }) };
  } catch (error) {
    if (error instanceof CelEvaluationError) return { type: typeName(program.type), error: error.message };
    throw error;
  }
}

/** The recording has the runtime names of types. */
function typeName(type: CelType): string {
  return formatType(type)
    .replace(/\btimestamp\b/g, "google.protobuf.Timestamp")
    .replace(/\bduration\b/g, "google.protobuf.Duration")
    .replace(/\bnull\b/g, "null_type");
}

/** Returns a value as the recording shows it: JSON where possible, else the name of the type. */
function recordedForm(value: CelValue): unknown {
  if (value instanceof CelOptional)
    return value.value === undefined ? "none" : ["some", recordedForm(value.value)];
  const type = typeNameOf(value);
  if (value instanceof CelTypeValue) return `type ${value.type}`;
  if (value instanceof CelOpaque) return `${type} ${type}`;
  return { [type]: toJson(value) };
}

function toJson(value: CelValue): unknown {
  if (typeof value === "bigint") return safe(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof CelUint) return safe(value.value);
  if (value instanceof CelList) return [...value].map(toJson);
  if (value instanceof CelMap) {
    return Object.fromEntries(
      [...value.keys()].map((key) => [String(toJson(key)), toJson(value.get(key) ?? null)]),
    );
  }
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** Whole numbers that a double cannot hold are text in JSON. */
function safe(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
