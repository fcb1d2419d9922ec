import type { JsonValue } from "../../lib/json/json.ts";
import type { StatusCause } from "../errors.ts";
import { invalid } from "./cause.ts";

/** A number that is not negative, or a percentage (IntOrString). */
export function validateAmount(amount: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof amount === "number") {
    return amount < 0 ? [invalid(path, amount, "must be greater than or equal to 0")] : [];
  }
  if (typeof amount === "string" && /^[0-9]+%$/.test(amount)) return [];
  const detail =
    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
  return [invalid(path, amount, detail)];
}

/** A percentage of at most 100. */
export function validateAtMostAll(amount: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof amount !== "string" || Number(amount.replace("%", "")) <= 100) return [];
  return /^[0-9]+%$/.test(amount) ? [invalid(path, amount, "must not be greater than 100%")] : [];
}

export function isNothing(amount: JsonValue | undefined): boolean {
  return amount === 0 || amount === "0%" || amount === "0";
}
