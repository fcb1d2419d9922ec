import { badRequest, invalid, quote, type StatusCause } from "../../apimachinery/errors.ts";
import { managerNameProblems } from "../../apimachinery/managed-fields/manager-name.ts";
import type { JsonObject } from "../../lib/json/json.ts";

/** meta/v1 ListOptions, from the query of a GET on a collection. */
export interface ListOptions {
  labelSelector: string;
  fieldSelector: string;
  watch: boolean;
  allowWatchBookmarks: boolean;
  resourceVersion: string;
  resourceVersionMatch: string;
  timeoutSeconds?: number;
  limit: number;
  continue: string;
  sendInitialEvents?: boolean;
}

/** The common options of create, update and patch. */
export interface WriteOptions {
  dryRun: boolean;
  fieldManager: string;
  /** Strict, Warn, Ignore, or empty for the default (Warn). */
  fieldValidation: string;
}

/**
 * Parses the options of a list. @throws ApiStatusError 400 for invalid values, 422 for invalid combinations
 */
export function parseListOptions(query: URLSearchParams): ListOptions {
  const timeoutSeconds = integer(query, "timeoutSeconds");
  const sendInitialEvents = flag(query, "sendInitialEvents");
  const options: ListOptions = {
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
    watch: flag(query, "watch") ?? false,
    allowWatchBookmarks: flag(query, "allowWatchBookmarks") ?? false,
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    limit: integer(query, "limit") ?? 0,
    continue: query.get("continue") ?? "",
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    ...(sendInitialEvents === undefined ? {} : { sendInitialEvents }),
  };
  const causes = options.watch ? watchProblems(options) : listProblems(options);
  if (causes.length > 0) throw invalid("meta.k8s.io", "ListOptions", "", causes);
  return options;
}

/** Parses a resourceVersion. Returns 0 for "0" and "". @throws ApiStatusError 400 */
export function parseResourceVersion(text: string): number {
  if (text === "") return 0;
  if (!/^\d{1,15}$/.test(text)) {
    throw badRequest(
      `invalid resource version: resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: invalid syntax`,
    );
  }
  return Number(text);
}

export interface PatchOptions extends WriteOptions {
  /** Whether an apply takes fields over from other managers. */
  force: boolean;
}

/** The options of the server's own writes. */
export const serverOptions: WriteOptions = { dryRun: false, fieldManager: "", fieldValidation: "" };

/** Returns the options in the form of an AdmissionReview. */
export function describeOptions(kind: string, options: WriteOptions): JsonObject {
  return {
    kind,
    apiVersion: "meta.k8s.io/v1",
    ...(options.dryRun ? { dryRun: ["All"] } : {}),
    ...(options.fieldManager === "" ? {} : { fieldManager: options.fieldManager }),
    ...(options.fieldValidation === "" ? {} : { fieldValidation: options.fieldValidation }),
  };
}

/** Parses the options of a write. @param kind CreateOptions or UpdateOptions, for messages */
export function parseWriteOptions(query: URLSearchParams, kind: string): WriteOptions {
  return parseOptions(query, kind, []);
}

/**
 * Parses the options of a patch. @param apply whether it is a server-side apply, which requires fieldManager
 * and allows force
 */
export function parsePatchOptions(query: URLSearchParams, apply: boolean): PatchOptions {
  const causes: StatusCause[] = [];
  const force = flag(query, "force");
  if (apply && !query.get("fieldManager")) {
    const message = "Required value: is required for apply patch";
    causes.push({ reason: "FieldValueRequired", message, field: "fieldManager" });
  }
  if (!apply && force !== undefined)
    causes.push(forbids("force", "may not be specified for non-apply patch"));
  return { ...parseOptions(query, "PatchOptions", causes), force: force ?? false };
}

function parseOptions(query: URLSearchParams, kind: string, causes: StatusCause[]): WriteOptions {
  const fieldManager = query.get("fieldManager") ?? "";
  for (const problem of managerNameProblems(fieldManager)) {
    causes.push({ ...problem, field: "fieldManager" });
  }
  const dryRun = parseDryRun(query.getAll("dryRun"), causes);
  const fieldValidation = query.get("fieldValidation") ?? "";
  if (!["", "Ignore", "Warn", "Strict"].includes(fieldValidation)) {
    causes.push(unsupported("fieldValidation", fieldValidation, ["", "Ignore", "Strict", "Warn"]));
  }
  if (causes.length > 0) throw invalid("meta.k8s.io", kind, "", causes);
  return { dryRun, fieldManager, fieldValidation };
}

/** Parses dryRun. `All` is the only valid value. */
export function parseDryRun(values: string[], causes: StatusCause[]): boolean {
  if (values.some((value) => value !== "All")) {
    const cause = unsupported("dryRun", "", ["All"]);
    causes.push({
      ...cause,
      message: `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`,
    });
  }
  return values.length > 0;
}

export function unsupported(field: string, value: string, supported: string[]): StatusCause {
  const list = supported.map(quote).join(", ");
  return {
    reason: "FieldValueNotSupported",
    message: `Unsupported value: ${quote(value)}: supported values: ${list}`,
    field,
  };
}

function forbids(field: string, why: string): StatusCause {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${why}`, field };
}

function listProblems(options: ListOptions): StatusCause[] {
  const field = "resourceVersionMatch";
  const causes: StatusCause[] = [];
  const match = options.resourceVersionMatch;
  if (match !== "") {
    if (options.resourceVersion === "") {
      causes.push(forbids(field, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (options.continue !== "") {
      causes.push(forbids(field, "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (match !== "Exact" && match !== "NotOlderThan") {
      causes.push(unsupported(field, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && options.resourceVersion === "0") {
      causes.push(forbids(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    causes.push(forbids("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return causes;
}

function watchProblems(options: ListOptions): StatusCause[] {
  const field = "resourceVersionMatch";
  const causes: StatusCause[] = [];
  const match = options.resourceVersionMatch;
  if (options.sendInitialEvents !== undefined && match !== "NotOlderThan") {
    causes.push(forbids(field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match !== "") {
    if (options.sendInitialEvents === undefined) {
      causes.push(
        forbids(field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"),
      );
    }
    if (match !== "NotOlderThan") causes.push(unsupported(field, match, ["NotOlderThan"]));
    if (options.continue !== "") {
      causes.push(forbids(field, "resourceVersionMatch is forbidden when continue is provided"));
    }
  }
  return causes;
}

/** Parses a boolean like Go: `?watch` and `?watch=1` are true, `0` and `false` are not. */
export function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  return value !== "0" && value.toLowerCase() !== "false";
}

/** Parses an integer. @throws ApiStatusError 400 */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === "") return undefined;
  if (!/^-?\d{1,15}$/.test(value)) {
    throw badRequest(`strconv.ParseInt: parsing ${quote(value)}: invalid syntax`);
  }
  return Number(value);
}
