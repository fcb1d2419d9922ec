import { closestMatch } from "leven";
import { z } from "zod";
import { clusterSchema, type ReadKindConfig } from "./schema.ts";

/** What is wrong, and at which field. */
export interface ConfigProblem {
  readonly path: readonly PropertyKey[];
  readonly words: string;
}

/** Validates what a file or a program gave: the configuration with its defaults, or the first thing that is wrong with it. */
export function checkConfig(value: unknown): { config: ReadKindConfig } | { problem: ConfigProblem } {
  const result = clusterSchema.safeParse(value);
  if (result.success) {
    const { nodes } = result.data;
    if (nodes && !nodes.some(({ role }) => role === "control-plane")) {
      return { problem: { path: ["nodes"], words: "at least one must have the role control-plane" } };
    }
    return { config: result.data };
  }
  const [issue] = result.error.issues;
  if (issue === undefined) return { problem: { path: [], words: "it is not valid" } };
  if (issue.code !== "unrecognized_keys") return { problem: { path: issue.path, words: wordsOf(issue) } };
  const [key = ""] = issue.keys;
  const known = fieldsAt(issue.path);
  const meant =
    known.find((field) => field.toLowerCase().startsWith(key.toLowerCase())) ??
    closestMatch(key, known, { maxDistance: Math.max(2, Math.floor(key.length / 3)) });
  const hint = meant === undefined ? `known are ${known.join(", ")}` : `did you mean ${meant}?`;
  return { problem: { path: [...issue.path, key], words: `there is no such field: ${hint}` } };
}

/** Of several forms that do not fit zod tells the innermost with its place; the rest is its own words. */
function wordsOf(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_union" ? "does not have the form that is asked for here" : issue.message;
}

/** Names of the fields of the object at a path of the schema. */
function fieldsAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = clusterSchema;
  for (const part of path) {
    schema = unwrap(schema);
    if (schema instanceof z.ZodArray) schema = schema.element;
    else if (schema instanceof z.ZodObject) schema = schema.shape[String(part)];
  }
  schema = unwrap(schema);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrap(schema.unwrap()) : schema;
}
