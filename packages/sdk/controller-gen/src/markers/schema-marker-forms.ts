import type { Schema, ValidationRule } from "../schema/schema.ts";
import type { Json } from "../yaml/emit.ts";
import type { MarkerArguments, MarkerDefinition, Target } from "./definition.ts";

/** A marker that changes the schema of a value. */
export interface SchemaMarker extends MarkerDefinition {
  /** Lower priorities are applied first. Default 10. */
  readonly priority?: number;
  /**
   * Changes the schema.
   *
   * @throws SyntaxError if the marker or its value does not fit the schema
   */
  readonly apply: (schema: Schema, value: Json | undefined) => void;
}

const none: MarkerArguments = { kind: "none" };
const string: MarkerArguments = { kind: "value", argument: { type: "string" } };
const list: MarkerArguments = { kind: "value", argument: { type: "slice", item: { type: "string" } } };

/** The places that most schema markers allow. */
export const both: readonly Target[] = ["type", "field"];

/** A schema marker whose places are still missing. */
export type Unplaced = Omit<SchemaMarker, "targets">;

/** Defines a marker that assigns its value to a keyword. */
export function assigning(name: string, key: keyof Schema, args: MarkerArguments, help: string): Unplaced {
  return {
    name,
    arguments: args,
    help,
    apply(schema, value) {
      if (value !== undefined) Object.assign(schema, { [key]: value });
    },
  };
}

/** Defines a marker without a value that sets a keyword to true. */
export function flag(name: string, key: keyof Schema, help: string): Unplaced {
  return { name, arguments: none, help, apply: (schema) => void Object.assign(schema, { [key]: true }) };
}

/** Defines a marker for integers and numbers that assigns its argument, or true without one, to `key`. */
export function numeric(name: string, key: keyof Schema, args: MarkerArguments, help: string): Unplaced {
  return {
    ...assigning(name, key, args, help),
    apply(schema, value) {
      if (schema.type !== "integer" && schema.type !== "number") throw mismatch(schema, "a number");
      if (schema.type === "integer" && typeof value === "number" && !Number.isInteger(value)) {
        throw new SyntaxError(`${value} is not an integer, but the field is`);
      }
      setTrue(schema, key, value);
    },
  };
}

/** Defines a marker for strings. */
export function textual(name: string, key: keyof Schema, args: MarkerArguments, help: string): Unplaced {
  return {
    ...assigning(name, key, args, help),
    apply(schema, value) {
      if (schema.type !== "string" && schema["x-kubernetes-int-or-string"] !== true)
        throw mismatch(schema, "a string");
      Object.assign(schema, { [key]: value });
    },
  };
}

/** Defines a marker for values of one JSON type. */
export function sized(
  name: string,
  key: keyof Schema,
  type: string,
  args: MarkerArguments,
  help: string,
): Unplaced {
  return {
    ...assigning(name, key, args, help),
    apply(schema, value) {
      requireType(schema, type);
      setTrue(schema, key, value);
    },
  };
}

/** Sets a keyword. Omits false, which means the same as a missing keyword. */
function setTrue(schema: Schema, key: keyof Schema, value: Json | undefined): void {
  if (value === false) delete schema[key];
  else Object.assign(schema, { [key]: value });
}

/**
 * Defines a marker with a fixed set of values.
 *
 * @param type the JSON type that the marker requires; undefined for objects and references
 */
export function choice(
  name: string,
  key: keyof Schema,
  type: string | undefined,
  values: readonly string[],
  help: string,
  priority?: number,
): SchemaMarker {
  return {
    name,
    targets: both,
    arguments: string,
    help: `${help}: ${values.join(", ")}`,
    ...(priority === undefined ? {} : { priority }),
    apply(schema, value) {
      if (type !== undefined) requireType(schema, type);
      else if (schema.type !== undefined) requireType(schema, "object");
      if (!values.includes(String(value)))
        throw new SyntaxError(`${value} is not one of ${values.join(", ")}`);
      Object.assign(schema, { [key]: value });
    },
  };
}

/**
 * Defines a marker that limits how many of some fields may be set. It becomes a CEL rule with
 * controller-tools' message.
 *
 * @param count the limit in CEL: "== 1"
 * @param start the message before the list of fields
 * @param end the message after it
 */
export function oneOf(
  name: string,
  count: string,
  start: string,
  end: string,
  priority: number,
): SchemaMarker {
  return {
    name: `kubebuilder:validation:${name}`,
    targets: ["type"],
    repeatable: true,
    arguments: list,
    priority,
    help: `${start} the list ${end}`,
    apply(schema, value) {
      const fields = value as readonly string[];
      if (fields.length === 0) return;
      addRule(schema, {
        rule: `[${fields.map((field) => `has(self.${field})`).join(",")}].filter(x,x==true).size() ${count}`,
        message: `${start} [${fields.join(" ")}] ${end}`,
      });
    },
  };
}

/** Adds a CEL rule to the rules of the schema. */
export function addRule(schema: Schema, rule: ValidationRule): void {
  schema["x-kubernetes-validations"] = [...(schema["x-kubernetes-validations"] ?? []), rule];
}

/** @throws SyntaxError if the schema has another JSON type */
export function requireType(schema: Schema, type: string): void {
  if (schema.type !== type) throw mismatch(schema, type === "array" ? "a list" : "a map or an object");
}

function mismatch({ type, $ref }: Schema, wanted: string): SyntaxError {
  const found =
    type === undefined
      ? $ref === undefined
        ? "this value may have any type"
        : "this is a named type"
      : `this value has type ${type}`;
  const suggestion = $ref === undefined || type !== undefined ? "" : ": put the marker on that type";
  return new SyntaxError(`it applies to ${wanted}, but ${found}${suggestion}`);
}
