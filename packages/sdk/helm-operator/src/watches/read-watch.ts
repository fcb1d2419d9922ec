import { DurationError, parseDuration } from "@operator-path/client";
import { isJsonObject, type JsonObject, type JsonValue, own } from "../json.ts";
import { expandEnvironment } from "../values/expand-environment.ts";
import { readSelector } from "./read-selector.ts";
import { inWords, type Report, reportUnknown } from "./report.ts";
import { type Watch, watchFields } from "./watch.ts";

/**
 * Reads an entry of a watches.yaml, with its chart as written. Returns undefined after reporting all
 * mistakes.
 */
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
    // Convert these as Go's library does for a map of strings. A fraction would lose its last zeros: 1.10
    // becomes 1.1.
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
