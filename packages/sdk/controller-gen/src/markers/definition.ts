import type { Json } from "../yaml/emit.ts";
import { type Argument, expect, parseArgument } from "./argument.ts";
import { createScanner, peek, scan } from "./scanner.ts";

/** What a marker may describe. "root" is a type that is an object of its own: it has apiVersion, kind and metadata. */
export type Target = "package" | "root" | "type" | "field";

/** A marker that there is, and what may be said with it (Go: markers.Definition). */
export interface MarkerDefinition {
  /** Without the plus sign: `kubebuilder:validation:Minimum`. */
  readonly name: string;
  readonly targets: readonly Target[];
  readonly arguments: MarkerArguments;
  /** Whether it may stand more than once in one place. */
  readonly repeatable?: boolean;
  /** One sentence, for --which-markers and the reference page. */
  readonly help: string;
}

export type MarkerArguments =
  /** `+optional` */
  | { readonly kind: "none" }
  /** `+kubebuilder:validation:Minimum=0` */
  | { readonly kind: "value"; readonly argument: Argument; readonly optional?: boolean }
  /** `+kubebuilder:resource:path=a,scope=Cluster` */
  | { readonly kind: "fields"; readonly fields: Readonly<Record<string, MarkerField>> }
  /** `+default={"a": 1}`: JSON, or `ref(…)`, which is passed over. */
  | { readonly kind: "json" };

export interface MarkerField {
  readonly argument: Argument;
  readonly optional?: boolean;
}

/** A marker as it stands somewhere, understood. */
export interface Marker {
  readonly definition: MarkerDefinition;
  /** true for a marker without arguments; undefined for a value that is passed over. */
  readonly value: Json | undefined;
  /** Of its plus sign, in its file. */
  readonly offset: number;
}

/** `+a:b:c=rest` → names `a:b:c` and `a:b`, of which the second has the argument `c`. */
export function splitMarker(text: string): { name: string; full: string; rest: string } {
  const equals = text.indexOf("=");
  if (equals === -1) return { name: text.slice(1), full: text.slice(1), rest: "" };
  const full = text.slice(1, equals);
  const colon = full.lastIndexOf(":");
  return { name: colon === -1 ? full : full.slice(0, colon), full, rest: text.slice(equals + 1) };
}

/**
 * What is said with a marker.
 *
 * @param text with the plus sign, of the definition's name
 * @throws SyntaxError telling what is wrong with its arguments
 */
export function parseMarker({ name, arguments: expected }: MarkerDefinition, text: string): Json | undefined {
  const { full, rest } = splitMarker(text);
  if (expected.kind === "json") return parseJson(rest);
  if (expected.kind === "fields") {
    return parseFields(
      full.length > name.length ? `${full.slice(name.length + 1)}=${rest}` : rest,
      expected.fields,
    );
  }
  const scanner = createScanner(rest);
  if (expected.kind === "none") {
    if (peek(scanner) !== "")
      throw new SyntaxError(`it takes no arguments, and ${JSON.stringify(rest)} follows`);
    return true;
  }
  if (scanner.raw === "") {
    if (expected.optional !== true) throw new SyntaxError("a value is missing: it is written behind =");
    return "";
  }
  const value = parseArgument(scanner, expected.argument);
  if (scan(scanner).kind !== "end") throw new SyntaxError(extra(rest, scanner.last.start));
  return value;
}

function parseFields(text: string, fields: Readonly<Record<string, MarkerField>>): Json {
  const scanner = createScanner(text);
  const values: Record<string, Json> = {};
  while (peek(scanner) !== "") {
    const { kind, text: field } = scan(scanner);
    if (kind !== "ident")
      throw new SyntaxError(`the name of an argument is expected, not ${JSON.stringify(field)}`);
    const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (known === undefined) {
      throw new SyntaxError(`there is no argument ${field}: there are ${Object.keys(fields).join(", ")}`);
    }
    if (Object.hasOwn(values, field)) throw new SyntaxError(`the argument ${field} stands twice`);
    expect(scanner, "=", `= behind ${field}`);
    try {
      values[field] = parseArgument(scanner, known.argument);
    } catch (error) {
      throw new SyntaxError(`${field}: ${(error as Error).message}`);
    }
    if (peek(scanner) === "") break;
    if (scan(scanner).text !== ",") throw new SyntaxError(extra(text, scanner.last.start));
    if (peek(scanner) === "") throw new SyntaxError("nothing follows the last comma");
  }
  for (const [field, { optional }] of Object.entries(fields)) {
    if (optional !== true && !Object.hasOwn(values, field))
      throw new SyntaxError(`the argument ${field} is missing`);
  }
  return values;
}

function parseJson(text: string): Json | undefined {
  if (text.trimStart().startsWith("ref(")) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new SyntaxError(
      `${text === "" ? "nothing" : text} is no JSON: a string, for instance, is in double quotes`,
    );
  }
}

function extra(text: string, at: number): string {
  return `${JSON.stringify(text.slice(at))} is too much`;
}
