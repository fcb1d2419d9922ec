import type { Schema, ValidationRule } from "../schema/schema.ts";
import type { Json } from "../yaml/emit.ts";
import type { MarkerArguments, MarkerDefinition, Target } from "./definition.ts";

/** A marker that says something of a value: it changes the value's schema. */
export interface SchemaMarker extends MarkerDefinition {
  /** Lower ones are applied first; default 10. */
  readonly priority?: number;
  /** @throws SyntaxError when it does not fit the schema */
  readonly apply: (schema: Schema, value: Json | undefined) => void;
}

const none: MarkerArguments = { kind: "none" };
const string: MarkerArguments = { kind: "value", argument: { type: "string" } };
const list: MarkerArguments = { kind: "value", argument: { type: "slice", item: { type: "string" } } };

/** Where most of them may stand. */
export const both: readonly Target[] = ["type", "field"];

/** A marker without the places where it may stand. */
export type Unplaced = Omit<SchemaMarker, "targets">;

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

export function flag(name: string, key: keyof Schema, help: string): Unplaced {
  return { name, arguments: none, help, apply: (schema) => void Object.assign(schema, { [key]: true }) };
}

export function numeric(name: string, key: keyof Schema, args: MarkerArguments, help: string): Unplaced {
  return {
    ...assigning(name, key, args, help),
    apply(schema, value) {
      if (schema.type !== "integer" && schema.type !== "number") throw mismatch(schema, "a number");
      if (schema.type === "integer" && typeof value === "number" && !Number.isInteger(value)) {
        throw new SyntaxError(`${value} is no whole number, and the field is one`);
      }
      setTrue(schema, key, value);
    },
  };
}

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

/** What is false is the same as nothing, and left out. */
function setTrue(schema: Schema, key: keyof Schema, value: Json | undefined): void {
  if (value === false) delete schema[key];
  else Object.assign(schema, { [key]: value });
}

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
      if (!values.includes(String(value))) throw new SyntaxError(`${value} is none of ${values.join(", ")}`);
      Object.assign(schema, { [key]: value });
    },
  };
}

export function oneOf(
  name: string,
  count: string,
  says: string,
  end: string,
  priority: number,
): SchemaMarker {
  return {
    name: `kubebuilder:validation:${name}`,
    targets: ["type"],
    repeatable: true,
    arguments: list,
    priority,
    help: `${says} the list ${end}`,
    apply(schema, value) {
      const fields = value as readonly string[];
      if (fields.length === 0) return;
      addRule(schema, {
        rule: `[${fields.map((field) => `has(self.${field})`).join(",")}].filter(x,x==true).size() ${count}`,
        message: `${says} [${fields.join(" ")}] ${end}`,
      });
    },
  };
}

export function addRule(schema: Schema, rule: ValidationRule): void {
  schema["x-kubernetes-validations"] = [...(schema["x-kubernetes-validations"] ?? []), rule];
}

export function requireType(schema: Schema, type: string): void {
  if (schema.type !== type) throw mismatch(schema, type === "array" ? "a list" : "a map or an object");
}

function mismatch({ type, $ref }: Schema, wanted: string): SyntaxError {
  const found =
    type === undefined
      ? $ref === undefined
        ? "any value"
        : "a type of its own name"
      : `a value of type ${type}`;
  const out = $ref === undefined || type !== undefined ? "" : ": put the marker on that type";
  return new SyntaxError(`it is for ${wanted}, and here stands ${found}${out}`);
}
