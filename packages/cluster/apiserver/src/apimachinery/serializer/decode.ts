import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../lib/json/json.ts";
import { JsonSyntaxError, parseJson } from "../../lib/json/parse-json.ts";
import { parseYaml, YamlSyntaxError } from "../../lib/yaml/parse-yaml.ts";
import { badRequest, invalid, unsupportedMediaType } from "../errors.ts";
import { prune } from "../schema/prune.ts";
import type { Schema } from "../schema/schema.ts";
import { conform } from "./conform.ts";
import { jsonKind } from "./go-type.ts";
import { warningsFor } from "./warnings.ts";

/** What the body of a request must contain. */
export interface DecodeTarget {
  group: string;
  version: string;
  kind: string;
  /** The schema of the type. Without one, and for custom resources, all fields are kept. */
  schema?: Schema | undefined;
  /** Whether it is a custom resource, which is pruned (schema/prune.ts) instead of decoded into a struct. */
  customResource?: boolean | undefined;
  /**
   * Reports wrong types with the messages of a strategic merge patch, whose result a real server converts
   * without JSON.
   */
  unstructured?: boolean | undefined;
  /** The query parameter of this name. Default, as in a real server: Warn. */
  fieldValidation?: string | undefined;
  /** Returns the schema of another kind, or undefined if Kubernetes has no such kind. */
  schemaOf?(group: string, version: string, kind: string): Schema | undefined;
}

export interface Decoded {
  object: ApiObject;
  /** Texts for `Warning: 299 - "…"` headers. */
  warnings: string[];
}

/** The parsed body, and its duplicate keys. */
export interface ParsedBody {
  value: JsonValue;
  duplicates: WeakMap<object, string[]>;
  /** Duplicate keys of a YAML document, as messages. */
  problems: string[];
}

const maximumReported = 32;

/**
 * Decodes the body of a create or an update, JSON or YAML by content type, to an object of the target's type.
 * Sets a missing apiVersion and kind.
 *
 * @throws ApiStatusError 400 for invalid syntax, wrong types, a wrong kind, and with Strict for unknown and
 *   duplicate fields; 415; 422
 */
export function decodeObject(
  bytes: Uint8Array,
  contentType: string | undefined,
  target: DecodeTarget,
): Decoded {
  checkFieldValidation(target.fieldValidation, "CreateOptions");
  const text = new TextDecoder().decode(bytes);
  let parsed: ParsedBody;
  try {
    parsed = parseBody(text, contentType);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw unrecognized(target, text, jsonProblem(error.message));
    if (error instanceof YamlSyntaxError) throw unrecognized(target, text, error.message);
    throw error;
  }
  if (parsed.value !== null && !isJsonObject(parsed.value)) {
    const problem = `json: cannot unmarshal ${jsonKind(parsed.value)} into Go value of type ${typeMetaStruct}`;
    throw unrecognized(target, text, jsonProblem(problem));
  }
  const object = parsed.value ?? {};
  checkKind(object, target, text);
  const problems: string[] = [...parsed.problems];
  let conformed: ApiObject;
  try {
    conformed = conformTo(object, target, parsed.duplicates, problems);
  } catch (error) {
    throw badRequest(`${cannotBeHandled(object, target)}: ${messageOf(error)}`);
  }
  if (problems.length > 0 && target.fieldValidation === "Strict") {
    throw badRequest(
      `${cannotBeHandled(object, target)}: strict decoding error: ${strictProblems(problems)}`,
    );
  }
  const warnings = warningsFor(conformed, target);
  return {
    object: conformed,
    warnings: [...(target.fieldValidation === "Ignore" ? [] : problems), ...warnings],
  };
}

/**
 * Parses the body according to its content type. @throws JsonSyntaxError, YamlSyntaxError, ApiStatusError 415
 */
export function parseBody(text: string, contentType: string | undefined): ParsedBody {
  const type = (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase();
  if (type === "application/json" || type === "" || type === "application/merge-patch+json") {
    return { ...parseJson(text), problems: [] };
  }
  if (type === "application/yaml" || type === "application/apply-patch+yaml") {
    const { value, duplicates } = parseYaml(text);
    return { value, duplicates: new WeakMap(), problems: duplicates };
  }
  throw unsupportedMediaType(
    "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
  );
}

/** Decodes a parsed value, and adds its problems to the list. Throws plain errors with Go's messages. */
export function conformTo(
  value: JsonObject,
  target: DecodeTarget,
  duplicates: WeakMap<object, string[]>,
  problems: string[],
): ApiObject {
  const apiVersion = apiVersionOf(target);
  const report = (problem: string) => {
    if (problems.length < maximumReported) problems.push(problem);
  };
  const { schema } = target;
  if (target.customResource) {
    return conformCustomResource(value, apiVersion, target, duplicates, problems);
  }
  if (schema === undefined) {
    reportDuplicates(value, duplicates, "", report);
    const { metadata, apiVersion: _v, kind: _k, ...rest } = structuredClone(value);
    return { apiVersion, kind: target.kind, metadata: isJsonObject(metadata) ? metadata : {}, ...rest };
  }
  const conformed = conform(value, schema, { duplicates, report, unstructured: target.unstructured });
  const { metadata, apiVersion: _v, kind: _k, ...rest } = conformed;
  return { apiVersion, kind: target.kind, metadata: isJsonObject(metadata) ? metadata : {}, ...rest };
}

/**
 * Decodes a custom resource. It keeps its apiVersion and kind, which the caller compares, and loses unknown
 * fields.
 */
function conformCustomResource(
  value: JsonObject,
  apiVersion: string,
  target: DecodeTarget,
  duplicates: WeakMap<object, string[]>,
  problems: string[],
): ApiObject {
  const report = (problem: string) => {
    if (problems.length < maximumReported) problems.push(problem);
  };
  reportDuplicates(value, duplicates, "", report);
  const { metadata, apiVersion: givenVersion, kind: givenKind, ...rest } = structuredClone(value);
  const metaSchema = target.schema?.properties?.metadata;
  const unknown: string[] = [];
  let conformedMeta = isJsonObject(metadata) ? metadata : {};
  if (metaSchema?.properties !== undefined) {
    conformedMeta = conform(conformedMeta, metaSchema, {
      report: (problem) => unknown.push(problem.replace('"', '"metadata.')),
    });
  }
  const object: ApiObject = {
    apiVersion: typeof givenVersion === "string" && givenVersion !== "" ? givenVersion : apiVersion,
    kind: typeof givenKind === "string" && givenKind !== "" ? givenKind : target.kind,
    metadata: conformedMeta,
    ...rest,
  };
  const removed = target.schema === undefined ? [] : prune(object, target.schema, metaSchema);
  // Fields of its own metadata come first, those in the metadata of embedded objects last.
  const isEmbedded = (path: string) => /(?:^|\.)metadata\./.test(path);
  const ordered = [...removed.filter((path) => !isEmbedded(path)), ...removed.filter(isEmbedded)];
  const fields = ordered.map((path) => `unknown field ${JSON.stringify(path)}`);
  for (const problem of [...unknown.sort(), ...fields]) report(problem);
  return object;
}

/** Reports the duplicate keys of a value without a schema. */
export function reportDuplicates(
  value: JsonValue | undefined,
  duplicates: WeakMap<object, string[]>,
  path: string,
  report: (problem: string) => void,
): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      reportDuplicates(item, duplicates, `${path}[${index}]`, report);
    });
  } else if (isJsonObject(value)) {
    const repeated = duplicates.get(value);
    for (const key of Object.keys(value)) {
      const inner = path === "" ? key : `${path}.${key}`;
      if (repeated?.includes(key)) report(`duplicate field ${JSON.stringify(inner)}`);
      reportDuplicates(value[key], duplicates, inner, report);
    }
  }
}

/**
 * Checks the value of fieldValidation. @throws ApiStatusError 422 for anything but Ignore, Warn, Strict or ""
 */
export function checkFieldValidation(value: string | undefined, options: string): void {
  if (value === undefined || ["", "Ignore", "Strict", "Warn"].includes(value)) return;
  throw invalid("meta.k8s.io", options, "", [
    {
      reason: "FieldValueNotSupported",
      message: `Unsupported value: ${JSON.stringify(value)}: supported values: "", "Ignore", "Strict", "Warn"`,
      field: "fieldValidation",
    },
  ]);
}

export function strictProblems(problems: string[]): string {
  // Duplicate keys of YAML come from another library and have its format.
  const yaml = problems.filter((problem) => problem.startsWith("line "));
  const rest = problems.filter((problem) => !problem.startsWith("line "));
  const head = yaml.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${yaml.join("\n  ")}`];
  return [...head, ...rest].join(", ");
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function cannotBeHandled(object: JsonObject, target: DecodeTarget): string {
  const { kind, version } = givenKind(object, target);
  return `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${target.kind}`;
}

const typeMetaStruct =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function jsonProblem(message: string): string {
  return `couldn't get version/kind; json parse error: ${message}`;
}

/** Checks that apiVersion and kind, if they are set, are those of the path. */
function checkKind(object: JsonObject, target: DecodeTarget, text: string): void {
  if (target.customResource) {
    checkCustomKind(object, target, text);
    return;
  }
  for (const key of ["apiVersion", "kind"] as const) {
    const value = object[key];
    if (value !== undefined && value !== null && typeof value !== "string") {
      const problem = `json: cannot unmarshal ${jsonKind(value)} into Go struct field .${key} of type string`;
      throw unrecognized(target, text, jsonProblem(problem));
    }
  }
  const problem = kindProblem(object, target);
  if (problem === undefined) return;
  const { message, isComplete } = problem;
  throw badRequest(isComplete ? message : `${cannotBeHandled(object, target)}: ${message}`);
}

interface KindProblem {
  message: string;
  /** Whether the message needs no introduction. */
  isComplete: boolean;
}

/** Returns why an object's apiVersion and kind are not those of the target, in Go's words. */
export function kindProblem(object: JsonObject, target: DecodeTarget): KindProblem | undefined {
  const { kind, apiVersion, group, version } = givenKind(object, target);
  const expected = apiVersionOf(target);
  if (apiVersion === expected && kind === target.kind) return undefined;
  if (target.schemaOf?.(group, version, kind) === undefined) {
    const message = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
    return { message, isComplete: false };
  }
  if (kind === target.kind) {
    const message = `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`;
    return { message, isComplete: true };
  }
  const wanted = `${target.group === "" ? "core" : target.group.split(".")[0]}.${target.kind}`;
  const message = `converting (${version}.${kind}) to (${wanted}): unknown conversion`;
  return { message, isComplete: false };
}

/** Returns the kind of an object. The target's kind and apiVersion are the defaults. */
export function givenKind(
  object: JsonObject,
  target: DecodeTarget,
): { kind: string; apiVersion: string; group: string; version: string } {
  const kind = typeof object.kind === "string" && object.kind !== "" ? object.kind : target.kind;
  const given = typeof object.apiVersion === "string" ? object.apiVersion : "";
  const apiVersion = given === "" ? apiVersionOf(target) : given;
  const slash = apiVersion.indexOf("/");
  return {
    kind,
    apiVersion,
    group: apiVersion.slice(0, Math.max(slash, 0)),
    version: apiVersion.slice(slash + 1),
  };
}

/** Checks the kind of a custom resource. It must be set, because it has no default. */
function checkCustomKind(object: JsonObject, target: DecodeTarget, text: string): void {
  const expected = apiVersionOf(target);
  const { apiVersion = "", kind = "" } = object;
  if (kind === "") throw unrecognized(target, text, `Object 'Kind' is missing in '${text}'`);
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${String(apiVersion)}) does not match the expected API version (${expected})`,
    );
  }
}

function apiVersionOf(target: DecodeTarget): string {
  return target.group === "" ? target.version : `${target.group}/${target.version}`;
}

/**
 * Returns the error with the beginning of the body, like a real server: as text if it looks like JSON,
 * otherwise hexadecimal.
 */
function unrecognized(target: DecodeTarget, text: string, problem: string): Error {
  const limit = 30;
  const bytes = Buffer.from(text);
  const shown = bytes.subarray(0, limit).toString(text.startsWith("{") ? "utf8" : "hex");
  const head = text === "" ? "<empty>" : `${shown}${bytes.length > limit ? " ..." : ""}`;
  return badRequest(
    `the object provided is unrecognized (must be of type ${target.kind}): ${problem} (${head})`,
  );
}
