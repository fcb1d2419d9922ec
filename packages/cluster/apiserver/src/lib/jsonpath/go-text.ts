import type { JsonValue } from "../json/json.ts";
import { isJsonObject } from "../json/json.ts";

/** Formats a value as Go prints it into a table cell: numbers by %v, lists and objects as JSON. */
export function formatText(value: JsonValue): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return formatNumber(value);
    case "boolean":
      return String(value);
    default:
      return value === null ? "<no value>" : marshal(value);
  }
}

/**
 * Formats a number: integers in full, fractions from a million up and below a ten-thousandth with an exponent
 * of two digits or more.
 */
function formatNumber(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, "0")}`;
}

const ESCAPED = /[<>&\u2028\u2029]/g;

/** Formats like encoding/json: members sorted by name, and HTML characters escaped. */
function marshal(value: JsonValue): string {
  const text = JSON.stringify(value, (_, part: JsonValue) => {
    if (!isJsonObject(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return text.replaceAll(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
