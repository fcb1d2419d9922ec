import type { LabelSelector, LabelSelectorRequirement } from "@operator-path/client";
import { isJsonObject, type JsonValue, own } from "../json.ts";
import { inWords, type Report, reportUnknown } from "./report.ts";

const withValues = new Set(["In", "NotIn"]);
const operators = new Set([...withValues, "Exists", "DoesNotExist"]);

/** Reads a LabelSelector, as in a Deployment; undefined when it is missing, or selects everything. */
export function readSelector(value: JsonValue | undefined, report: Report): LabelSelector | undefined {
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
