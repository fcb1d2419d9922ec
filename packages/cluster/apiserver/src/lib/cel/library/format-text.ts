import { fail } from "../functions.ts";
import {
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  typeNameOf,
} from "../values.ts";
import { formatDuration, formatTimestamp } from "./time.ts";

/** Formats `"%s has %d".format([a, b])` (ext/formatting.go of cel-go). @throws CelEvaluationError */
export function formatText(template: string, args: CelList): string {
  let next = 0;
  const formatted = template.replace(
    /%(?:%|(?:\.(\d+))?([a-zA-Z])?)/g,
    (clause, precision?: string, verb?: string) => {
      if (clause === "%%") return "%";
      if (verb === undefined) return fail("could not parse formatting clause: unexpected end of string");
      const format = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
      if (format === undefined) {
        return fail(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
      }
      if (next >= args.length) return fail(`index ${next} out of range`);
      next += 1;
      return format(args.at(next - 1), precision === undefined ? 6 : Number(precision));
    },
  );
  return formatted;
}

type Format = (value: CelValue, precision: number) => string;

const verbs: Record<string, Format> = {
  s: formatString,
  d: formatDecimal,
  f: (value, precision) => formatNumber(value, "fixed-point", (number) => grouped(number, precision)),
  e: (value) => formatNumber(value, "scientific", scientific),
  b: (value) => {
    if (typeof value === "boolean") return value ? "1" : "0";
    const refuse = () => wrongType("only integers and bools can be formatted as binary", value);
    return (integerOf(value) ?? refuse()).toString(2);
  },
  x: hexadecimal,
  X: (value) => hexadecimal(value).toUpperCase(),
  o: (value) => {
    const refuse = () => wrongType("octal clause can only be used on integers", value);
    return (integerOf(value) ?? refuse()).toString(8);
  },
};

function wrongType(rule: string, value: CelValue): never {
  return fail(`error during formatting: ${rule}, was given ${typeNameOf(value)}`);
}

function integerOf(value: CelValue): bigint | undefined {
  if (typeof value === "bigint") return value;
  return value instanceof CelUint ? value.value : undefined;
}

function formatString(value: CelValue): string {
  if (value instanceof CelList) return formatList(value);
  if (value instanceof CelMap) return formatMap(value);
  return scalarText(value) ?? wrongType(stringRule, value);
}

/** The rule for `%s`. */
export const stringRule =
  "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";

function scalarText(value: CelValue): string | undefined {
  if (value === null) return "null";
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatDouble(value);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTypeValue) return value.type;
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined;
}

/** Formats a value inside a list or map as expressions write it. */
function nested(value: CelValue): string {
  if (value instanceof CelList) return formatList(value);
  if (value instanceof CelMap) return formatMap(value);
  const text = scalarText(value) ?? fail(`no formatting function for ${typeNameOf(value)}`);
  if (typeof value === "string") return JSON.stringify(text);
  if (typeof value === "number") return Number.isFinite(value) ? value.toFixed(6) : JSON.stringify(text);
  if (value instanceof Uint8Array) return `b${JSON.stringify(text)}`;
  if (value instanceof CelDuration) return `duration(${JSON.stringify(text)})`;
  return value instanceof CelTimestamp ? `timestamp(${JSON.stringify(text)})` : text;
}

function formatList(list: CelList): string {
  return `[${[...list].map(nested).join(", ")}]`;
}

function formatMap(map: CelMap): string {
  const entries = [...map.keys()].map((key) => {
    const isKey = typeof key === "string" || typeof key === "boolean" || integerOf(key) !== undefined;
    if (!isKey) return fail(`no formatting function for map key of type ${typeNameOf(key)}`);
    return `${nested(key)}:${nested(map.get(key) ?? null)}`;
  });
  return `{${entries.sort().join(", ")}}`;
}

function formatDecimal(value: CelValue): string {
  const number = integerOf(value);
  return number === undefined
    ? wrongType("decimal clause can only be used on integers", value)
    : String(number);
}

const notFinite = ["NaN", "Infinity", "-Infinity"];

function formatNumber(value: CelValue, clause: string, format: (number: number) => string): string {
  const number = typeof value === "string" && notFinite.includes(value) ? Number(value) : value;
  if (typeof number !== "number") return wrongType(`${clause} clause can only be used on doubles`, value);
  if (Number.isFinite(number)) return format(number);
  return Number.isNaN(number) ? "NaN" : number > 0 ? "∞" : "-∞";
}

/** Formats a number as in en-US: `1,234.50`. */
function grouped(number: number, precision: number): string {
  const [whole = "", fraction] = number.toFixed(Math.min(precision, 100)).split(".");
  const separated = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Formats a number as `1.234500×10⁰³`. A real server always writes six digits, whatever the precision. */
function scientific(number: number): string {
  const [mantissa, power = "+0"] = number.toExponential(6).split("e");
  const digits = [...power.slice(1).padStart(2, "0")].map((digit) => superscripts[Number(digit)]);
  return `${mantissa}×10${power.startsWith("-") ? "⁻" : ""}${digits.join("")}`;
}

function hexadecimal(value: CelValue): string {
  if (typeof value === "string") return Buffer.from(value, "utf8").toString("hex");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  const number = integerOf(value);
  if (number !== undefined) return number.toString(16);
  return wrongType("only integers, byte buffers, and strings can be formatted as hex", value);
}

/** Formats like Go's `%g`, with as many digits as needed: `1.5`, `1.234567e+06`. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const [mantissa, power = "+0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return plain(value);
  return `${mantissa}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}

function plain(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/0+$/, "") : text;
}
