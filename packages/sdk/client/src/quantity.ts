import type { Quantity } from "./generated/kubernetes-types.ts";

/** The text is not a resource.Quantity. */
export class QuantityError extends Error {
  override readonly name = "QuantityError";
}

/** The exact amount of a resource (resource.Quantity of k8s.io/apimachinery). */
export interface ParsedQuantity {
  /** The amount in units of 10^-9, the smallest that a Quantity keeps. */
  readonly nano: bigint;
  readonly format: "DecimalSI" | "BinarySI" | "DecimalExponent";
}

const binary: Record<string, bigint> = {
  Ki: 1n << 10n,
  Mi: 1n << 20n,
  Gi: 1n << 30n,
  Ti: 1n << 40n,
  Pi: 1n << 50n,
  Ei: 1n << 60n,
};
const decimal: Record<string, number> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
/**
 * The maximum exponent and the maximum number of digits. Larger numbers are not real amounts, and slow to
 * calculate.
 */
const maximumDigits = 400;
const nanoPerUnit = 10n ** 9n;
const mostBytes = (2n ** 63n - 1n) * nanoPerUnit;

/**
 * Parses a quantity such as `500m`, `1.5Gi`, `1e3` or 2 (k8s.io/apimachinery/pkg/api/resource). Fractions of
 * 10^-9 are rounded up.
 *
 * @throws QuantityError with a real server's message
 */
export function parseQuantity(quantity: Quantity): ParsedQuantity {
  const match = pattern.exec(String(quantity));
  const [, sign, whole = "", fraction = "", suffix = ""] = match ?? [];
  if (match === null || whole + fraction === "") {
    throw new QuantityError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    );
  }
  if (whole.length + fraction.length > maximumDigits) {
    throw new QuantityError("unable to parse quantity's suffix");
  }
  const digits = BigInt(whole + fraction);
  const exponent = /^[eE][+-]?\d+$/.test(suffix) ? Number(suffix.slice(1)) : (decimal[suffix] ?? 0);
  if (Math.abs(exponent) > maximumDigits) throw new QuantityError("unable to parse quantity's suffix");
  let numerator = digits * nanoPerUnit * (binary[suffix] ?? 1n);
  let denominator = 10n ** BigInt(fraction.length);
  if (exponent >= 0) numerator *= 10n ** BigInt(exponent);
  else denominator *= 10n ** BigInt(-exponent);
  const rounded = (numerator + denominator - 1n) / denominator;
  // As in Go, a number of bytes is capped at what an int64 holds.
  const magnitude = suffix in binary && rounded > mostBytes ? mostBytes : rounded;
  return {
    nano: sign === "-" ? -magnitude : magnitude,
    format: suffix in binary ? "BinarySI" : /^[eE][+-]?\d+$/.test(suffix) ? "DecimalExponent" : "DecimalSI",
  };
}

/**
 * Returns the canonical text: without a fraction, with the largest possible suffix (`0.5` → `500m`, `1024Mi`
 * → `1Gi`).
 */
export function formatQuantity({ nano, format }: ParsedQuantity): string {
  if (nano === 0n) return "0";
  const sign = nano < 0n ? "-" : "";
  const amount = nano < 0n ? -nano : nano;
  // A binary suffix cannot express an amount below 1024 or a fraction. The decimal suffixes are used for
  // those.
  if (format === "BinarySI" && amount >= 1024n * nanoPerUnit && amount % nanoPerUnit === 0n) {
    let units = amount / nanoPerUnit;
    let suffix = "";
    for (const [name] of Object.entries(binary)) {
      if (units % 1024n !== 0n) break;
      units /= 1024n;
      suffix = name;
    }
    return `${sign}${units}${suffix}`;
  }
  let units = amount;
  let exponent = -9;
  // The largest suffix is E, 10^18; an exponent has no limit.
  while (units % 1000n === 0n && (exponent < 18 || format === "DecimalExponent")) {
    units /= 1000n;
    exponent += 3;
  }
  if (format === "DecimalExponent") return `${sign}${units}${exponent === 0 ? "" : `e${exponent}`}`;
  const suffix = Object.keys(decimal).find((name) => decimal[name] === exponent) ?? "";
  return `${sign}${units}${suffix}`;
}

/** Returns the sum, in the format of `a`, or in the format of `b` if `a` is 0 (Go: Quantity.Add). */
export function addQuantities(a: ParsedQuantity, b: ParsedQuantity): ParsedQuantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

/** Returns `a` - `b`, in the format of `a`, or in the format of `b` if `a` is 0 (Go: Quantity.Sub). */
export function subtractQuantities(a: ParsedQuantity, b: ParsedQuantity): ParsedQuantity {
  return { nano: a.nano - b.nano, format: a.nano === 0n ? b.format : a.format };
}

/** Compares two amounts. Returns -1, 0 or 1 (Go: Quantity.Cmp). */
export function compareQuantities(a: ParsedQuantity, b: ParsedQuantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

/**
 * Returns the amount in cores, bytes or pieces, as the nearest number (Go: Quantity.AsApproximateFloat64).
 */
export function approximate({ nano }: ParsedQuantity): number {
  const whole = nano / nanoPerUnit;
  return Number(whole) + Number(nano - whole * nanoPerUnit) / 1e9;
}
