import {
  DurationError,
  type LabelSelector,
  type LabelSelectorRequirement,
  parseDuration,
} from "@operator-path/client";
import { closestMatch } from "leven";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { expandEnvironment } from "../values/expand-environment.ts";
import { type Watch, watchFields } from "./watch.ts";

/** Reads an entry, with its chart as written. Returns undefined after it has reported all mistakes. */
export function readWatch(
  entry: JsonValue,
  environment: Readonly<Record<string, string | undefined>>,
  reportTo: Report,
): Watch | undefined {
  let isValid = true;
  const report: Report = (message, path) => {
    isValid = false;
    reportTo(message, path);
  };
  if (!isJsonObject(entry)) {
    report(`it is ${inWords(entry)}, but an entry needs the fields version, kind and chart`);
    return undefined;
  }
  reportUnknown(entry, watchFields, report);
  const group = readText(entry, "group", report) ?? "";
  if (group !== "" && !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(group)) {
    report(`group ${JSON.stringify(group)} is not an API group: write a name such as cache.example.com`, [
      "group",
    ]);
  }
  const version = readRequired(entry, "version", "v1alpha1", report);
  if (version !== undefined && !/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(version)) {
    const mixed = version.includes("/")
      ? ": write its group into the field group"
      : ": write a version such as v1alpha1";
    report(`version ${JSON.stringify(version)} is not an API version${mixed}`, ["version"]);
  }
  const kind = readRequired(entry, "kind", "Memcached", report);
  if (kind !== undefined && !/^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/.test(kind)) {
    report(`kind ${JSON.stringify(kind)} is not a kind: write a name such as Memcached`, ["kind"]);
  }
  const chart = readRequired(entry, "chart", "helm-charts/memcached", report);
  const reconcilePeriod = readPeriod(entry, report);
  const maxConcurrentReconciles = readConcurrency(entry, report);
  const selector = readSelector(own(entry, "selector"), report);
  const watch: Watch = {
    group,
    version: version ?? "",
    kind: kind ?? "",
    chart: chart ?? "",
    watchDependentResources: readBoolean(entry, "watchDependentResources", report) ?? true,
    overrideValues: readOverrides(entry, environment, report),
    ...(reconcilePeriod && { reconcilePeriod }),
    ...(maxConcurrentReconciles && { maxConcurrentReconciles }),
    ...(selector && { selector: selector }),
  };
  return isValid ? watch : undefined;
}

function readText(entry: JsonObject, field: string, report: Report): string | undefined {
  const value = own(entry, field) ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  report(`${field} is ${inWords(value)}: write a quoted string`, [field]);
  return undefined;
}

/** Returns undefined after reporting what is wrong. */
function readRequired(entry: JsonObject, field: string, example: string, report: Report): string | undefined {
  if ((own(entry, field) ?? "") !== "") return readText(entry, field, report);
  report(`${field} is missing: add ${field}: ${example}`);
  return undefined;
}

function readBoolean(entry: JsonObject, field: string, report: Report): boolean | undefined {
  const value = own(entry, field) ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  report(`${field} is ${inWords(value)}: write true or false, without quotes`, [field]);
  return undefined;
}

function readConcurrency(entry: JsonObject, report: Report): number | undefined {
  const value = own(entry, "maxConcurrentReconciles") ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  report(`maxConcurrentReconciles is ${inWords(value)}: write a whole number from 1`, [
    "maxConcurrentReconciles",
  ]);
  return undefined;
}

function readPeriod(entry: JsonObject, report: Report): number | undefined {
  const value = own(entry, "reconcilePeriod") ?? undefined;
  if (value === undefined) return undefined;
  if (value === 0) return 0;
  const period = typeof value === "string" ? positiveDuration(value) : undefined;
  if (period !== undefined) return period;
  const example = typeof value === "number" && value > 0 ? `${value}s` : "1h30m";
  report(`reconcilePeriod is ${inWords(value)}: write a duration with its unit, such as ${example}`, [
    "reconcilePeriod",
  ]);
  return undefined;
}

function positiveDuration(text: string): number | undefined {
  try {
    const period = parseDuration(text);
    return period >= 0 ? period : undefined;
  } catch (error) {
    if (error instanceof DurationError) return undefined;
    throw error;
  }
}

function readOverrides(
  entry: JsonObject,
  environment: Readonly<Record<string, string | undefined>>,
  report: Report,
): Record<string, string> {
  const overrides = own(entry, "overrideValues") ?? {};
  if (!isJsonObject(overrides)) {
    report(`overrideValues is ${inWords(overrides)}: write a table, such as image.tag: $TAG`, [
      "overrideValues",
    ]);
    return {};
  }
  const members = Object.entries(overrides).flatMap(([path, value]): [string, string][] => {
    if (typeof value === "string") return [[path, expandEnvironment(value, environment)]];
    // As Go's library reads a map of strings. A fraction would lose its last zeros: 1.10 becomes 1.1.
    if (typeof value === "boolean" || Number.isSafeInteger(value)) return [[path, String(value)]];
    report(`overrideValues ${JSON.stringify(path)} is ${inWords(value)}: write a quoted string`, [
      "overrideValues",
      path,
    ]);
    return [];
  });
  // Object.fromEntries defines members, so "__proto__" is a path like any other.
  return Object.fromEntries(members);
}

const withValues = new Set(["In", "NotIn"]);
const operators = new Set([...withValues, "Exists", "DoesNotExist"]);

/** Reads a LabelSelector, as in a Deployment; undefined when it is missing, or selects everything. */
function readSelector(value: JsonValue | undefined, report: Report): LabelSelector | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) {
    report(`selector is ${inWords(value)}: write a table with matchLabels or matchExpressions`, ["selector"]);
    return undefined;
  }
  reportUnknown(value, ["matchLabels", "matchExpressions"], report, ["selector"]);
  const matchLabels = readLabels(own(value, "matchLabels"), report);
  const list = own(value, "matchExpressions") ?? [];
  if (!Array.isArray(list)) {
    report(`selector.matchExpressions is ${inWords(list)}: write a list`, ["selector", "matchExpressions"]);
    return undefined;
  }
  const matchExpressions = list.flatMap((item, i) => readRequirement(item, i, report) ?? []);
  if (Object.keys(matchLabels).length === 0 && matchExpressions.length === 0) return undefined;
  return {
    ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  };
}

function readLabels(value: JsonValue | undefined, report: Report): Record<string, string> {
  const labels = value ?? {};
  const path = ["selector", "matchLabels"];
  if (!isJsonObject(labels)) {
    report(`selector.matchLabels is ${inWords(labels)}: write a table of labels`, path);
    return {};
  }
  const members = Object.entries(labels).flatMap(([key, label]): [string, string][] => {
    if (typeof label === "string") return [[key, label]];
    report(`selector.matchLabels ${key} is ${inWords(label)}: write a quoted string`, [...path, key]);
    return [];
  });
  return Object.fromEntries(members);
}

function readRequirement(
  item: JsonValue,
  index: number,
  report: Report,
): LabelSelectorRequirement | undefined {
  const path = ["selector", "matchExpressions", index];
  const name = `selector.matchExpressions[${index}]`;
  const fail = (message: string): undefined => {
    report(`${name}${message}`, path);
    return undefined;
  };
  if (!isJsonObject(item)) return fail(` is ${inWords(item)}: write a table with key, operator and values`);
  reportUnknown(item, ["key", "operator", "values"], report, path);
  const key = own(item, "key");
  const operator = own(item, "operator");
  const values = own(item, "values") ?? [];
  if (typeof key !== "string" || key === "") return fail(".key is missing: write the label's name");
  if (typeof operator !== "string" || !operators.has(operator)) {
    return fail(`.operator is ${inWords(operator)}: write ${[...operators].join(", ")}`);
  }
  if (!Array.isArray(values) || !values.every((label) => typeof label === "string")) {
    return fail(".values is not a list of strings: write it as [a, b]");
  }
  if (withValues.has(operator) !== values.length > 0) {
    return fail(
      withValues.has(operator)
        ? `.values is empty, but ${operator} needs values`
        : `.values must be left out: ${operator} takes none`,
    );
  }
  return { key, operator, ...(values.length > 0 && { values }) };
}

type Path = readonly (string | number)[];

/** Reports a mistake in the entry. @param path of the field, relative to the entry */
type Report = (message: string, path?: Path) => void;

/** Reports unknown fields, each with the known one that was probably meant. */
function reportUnknown(table: JsonObject, known: readonly string[], report: Report, path: Path = []): void {
  for (const field of Object.keys(table)) {
    if (known.includes(field)) continue;
    const meant = closestMatch(field, known, { maxDistance: Math.min(3, Math.ceil(field.length / 3)) });
    const suggestion = meant === undefined ? `the fields are ${known.join(", ")}` : `did you mean ${meant}?`;
    report(`there is no field ${[...path, field].join(".")}: ${suggestion}`, [...path, field]);
  }
}

/** Describes a value in a message, and cuts long ones. */
function inWords(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "empty";
  if (Array.isArray(value)) return "a list";
  return isJsonObject(value) ? "a table" : JSON.stringify(value).slice(0, 80);
}
