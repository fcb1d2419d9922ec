import type { Json } from "../yaml/emit.ts";
import { type Argument, expect, parseArgument } from "./argument.ts";
import { createScanner, peek, scan } from "./scanner.ts";

/** What a marker may describe. A "root" is a Kubernetes object: it has apiVersion, kind and metadata. */
export type Target = "package" | "root" | "type" | "field";

/** A marker that controller-gen knows (Go: markers.Definition). */
export interface MarkerDefinition {
  /** Without the plus sign: `kubebuilder:validation:Minimum`. */
  readonly name: string;
  readonly targets: readonly Target[];
  readonly arguments: MarkerArguments;
  /** Whether one place may have the marker more than once. Default false. */
  readonly repeatable?: boolean;
  /** A phrase for --which-markers and docs/markers.md. */
  readonly help: string;
}

export type MarkerArguments =
  /** `+optional` */
  | { readonly kind: "none" }
  /** `+kubebuilder:validation:Minimum=0` */
  | { readonly kind: "value"; readonly argument: Argument; readonly optional?: boolean }
  /** `+kubebuilder:resource:path=a,scope=Cluster` */
  | { readonly kind: "fields"; readonly fields: Readonly<Record<string, MarkerField>> }
  /** `+default={"a": 1}`: JSON, or `ref(…)`, which controller-gen ignores. */
  | { readonly kind: "json" };

export interface MarkerField {
  readonly argument: Argument;
  readonly optional?: boolean;
}

/** A parsed marker. */
export interface Marker {
  readonly definition: MarkerDefinition;
  /** true for a marker without arguments; undefined for `ref(…)`. */
  readonly value: Json | undefined;
  /** Offset of its plus sign in the file. */
  readonly offset: number;
}

/** Splits `+a:b:c=rest` into the names `a:b:c` (full) and `a:b`, and the rest. */
export function splitMarker(text: string): { name: string; full: string; rest: string } {
  const equals = text.indexOf("=");
  if (equals === -1) return { name: text.slice(1), full: text.slice(1), rest: "" };
  const full = text.slice(1, equals);
  const colon = full.lastIndexOf(":");
  return { name: colon === -1 ? full : full.slice(0, colon), full, rest: text.slice(equals + 1) };
}

/**
 * Returns the value of a marker.
 *
 * @param text the marker with its plus sign; its name is that of the definition
 * @throws SyntaxError if its arguments are invalid
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
    if (peek(scanner) !== "") throw new SyntaxError(`it takes no arguments: remove =${rest}`);
    return true;
  }
  if (scanner.raw === "") {
    if (expected.optional !== true) throw new SyntaxError("the value is missing: write it after =");
    return "";
  }
  const value = parseArgument(scanner, expected.argument);
  if (scan(scanner).kind !== "end") throw new SyntaxError(unexpected(rest, scanner.last.start));
  return value;
}

function parseFields(text: string, fields: Readonly<Record<string, MarkerField>>): Json {
  const scanner = createScanner(text);
  const values: Record<string, Json> = {};
  while (peek(scanner) !== "") {
    const { kind, text: field } = scan(scanner);
    if (kind !== "ident")
      throw new SyntaxError(`expected the name of an argument, not ${JSON.stringify(field)}`);
    const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (known === undefined) {
      const names = Object.keys(fields).join(", ");
      throw new SyntaxError(`there is no argument ${field}: the arguments are ${names}`);
    }
    if (Object.hasOwn(values, field)) throw new SyntaxError(`the argument ${field} is given twice`);
    expect(scanner, "=", `= after ${field}`);
    try {
      values[field] = parseArgument(scanner, known.argument);
    } catch (error) {
      throw new SyntaxError(`${field}: ${(error as Error).message}`);
    }
    if (peek(scanner) === "") break;
    if (scan(scanner).text !== ",") throw new SyntaxError(unexpected(text, scanner.last.start));
    if (peek(scanner) === "") throw new SyntaxError("expected an argument after the last comma");
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
      `${text === "" ? "an empty value" : text} is not JSON: a string, for example, needs double quotes`,
    );
  }
}

function unexpected(text: string, at: number): string {
  return `unexpected ${JSON.stringify(text.slice(at))}: remove it`;
}
