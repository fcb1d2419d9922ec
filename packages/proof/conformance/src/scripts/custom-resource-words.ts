import type { JsonMap, Script, Step } from "../script.ts";
import { bug, bugs, definition, objectSchema, paths, post } from "./make.ts";

// Words of the scripts about Bugs, whose definition each of them makes.

export const script = (name: string, ...steps: Step[]): Script => ({ name, area: "custom resources", steps });
export const spec = (properties: JsonMap, more: JsonMap = {}): JsonMap =>
  objectSchema({ type: "object", properties, ...more });
export const make = (value: JsonMap, name = "a"): Step => post(bugs, bug(name, { spec: value }));
export const string = { type: "string" };
export const integer = { type: "integer" };
export const rule = (text: string, more: JsonMap = {}): JsonMap => ({ rule: text, ...more });
export const rules = (...list: JsonMap[]): JsonMap => ({ "x-kubernetes-validations": list });
export const define = (schema: JsonMap, version: JsonMap = {}, more: JsonMap = {}): Step =>
  post(paths.definitions, definition(schema, version, more));
