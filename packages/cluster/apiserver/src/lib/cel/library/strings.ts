import { fail, global, type Library, member, sizeOf, traversal } from "../functions.ts";
import { bool, dyn, int, listOf, string } from "../types.ts";
import { CelList, type CelValue } from "../values.ts";
import { formatText } from "./format-text.ts";

const byTargetTwice = ([text]: readonly CelValue[]) => traversal(2 * sizeOf(text as CelValue));
const searching = ([text]: readonly CelValue[]) => Math.floor(sizeOf(text as CelValue) * 0.1);
const joining = ([list]: readonly CelValue[]) => {
  const separators = sizeOf(list as CelValue);
  return [...(list as CelList)].reduce<number>(
    (sum, part) => sum + traversal(2 * sizeOf(part)),
    traversal(separators),
  );
};
const byTarget = ([text]: readonly CelValue[]) => traversal(sizeOf(text as CelValue));

/**
 * The functions of texts: those of the language, and of cel-go's extension in the version that Kubernetes
 * uses. Positions are code points.
 */
export const strings: Library = {
  contains: [
    member(
      [string, string],
      bool,
      (text: string, part: string) => text.includes(part),
      ([text, part]) => traversal(sizeOf(text as CelValue)) * traversal(sizeOf(part as CelValue)),
    ),
  ],
  endsWith: [member([string, string], bool, (text: string, part: string) => text.endsWith(part), byTarget)],
  startsWith: [
    member([string, string], bool, (text: string, part: string) => text.startsWith(part), byTarget),
  ],
  charAt: [member([string, int], string, charAt)],
  indexOf: [
    member([string, string], int, (text: string, part: string) => indexOf(text, part, 0n), searching),
    member([string, string, int], int, indexOf, searching),
  ],
  lastIndexOf: [
    member([string, string], int, (text: string, part: string) => lastIndexOf(text, part), searching),
    member([string, string, int], int, lastIndexOf, searching),
  ],
  lowerAscii: [
    member(
      [string],
      string,
      (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
      byTarget,
    ),
  ],
  upperAscii: [
    member(
      [string],
      string,
      (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
      byTarget,
    ),
  ],
  replace: [
    member(
      [string, string, string],
      string,
      (text: string, old: string, by: string) => replace(text, old, by, -1n),
      byTargetTwice,
    ),
    member([string, string, string, int], string, replace, byTargetTwice),
  ],
  split: [
    member(
      [string, string],
      listOf(string),
      (text: string, by: string) => split(text, by, -1n),
      byTargetTwice,
    ),
    member([string, string, int], listOf(string), split, byTargetTwice),
  ],
  substring: [
    member(
      [string, int],
      string,
      (text: string, from: bigint) => {
        const points = [...text];
        return from < 0n || from > points.length
          ? fail(`index out of range: ${from}`)
          : points.slice(Number(from)).join("");
      },
      byTarget,
    ),
    member([string, int, int], string, substring, byTarget),
  ],
  trim: [member([string], string, trim, byTarget)],
  join: [
    member([listOf(string)], string, (list: CelList) => join(list, ""), joining),
    member([listOf(string), string], string, join, joining),
  ],
  "strings.quote": [global([string], string, quote, byTarget)],
  format: [member([string, listOf(dyn)], string, formatText, byTarget)],
};

function charAt(text: string, at: bigint): string {
  const points = [...text];
  if (at < 0n || at > points.length) return fail(`index out of range: ${at}`);
  return points[Number(at)] ?? "";
}

/** Converts a position from UTF-16 units to code points. */
function pointsBefore(text: string, unit: number): bigint {
  return BigInt([...text.slice(0, unit)].length);
}

function unitOf(points: readonly string[], point: number): number {
  return points.slice(0, point).join("").length;
}

function indexOf(text: string, part: string, from: bigint): bigint {
  if (part === "") return from;
  if (from < 0n) fail(`index out of range: ${from}`);
  const points = [...text];
  if (from >= points.length) return -1n;
  const found = text.indexOf(part, unitOf(points, Number(from)));
  return found < 0 ? -1n : pointsBefore(text, found);
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  const points = [...text];
  if (part === "") return from ?? BigInt(points.length);
  if (from !== undefined && from < 0n) fail(`index out of range: ${from}`);
  if (from !== undefined && from >= points.length) return -1n;
  const found = text.lastIndexOf(part, from === undefined ? undefined : unitOf(points, Number(from)));
  return found < 0 ? -1n : pointsBefore(text, found);
}

/** Replaces `old` in a text. @param count the most replacements. Negative: all */
function replace(text: string, old: string, by: string, count: bigint): string {
  if (count < 0n) return text.split(old).length === 1 && old !== "" ? text : replaceAll(text, old, by);
  let left = count;
  if (old === "") {
    const points = [...text];
    const positions = [...points, ""];
    return positions.map((point) => (left-- > 0n ? by + point : point)).join("");
  }
  const parts = text.split(old);
  return parts.reduce((sum, part) => sum + (left-- > 0n ? by : old) + part);
}

function replaceAll(text: string, old: string, by: string): string {
  if (old !== "") return text.split(old).join(by);
  return [...text].map((point) => by + point).join("") + by;
}

/** Splits a text. @param count the most parts, of which the last one has the rest. Negative: all */
function split(text: string, by: string, count: bigint): CelList {
  if (count === 0n) return CelList.of([]);
  const parts = by === "" ? [...text] : text.split(by);
  if (count < 0n || BigInt(parts.length) <= count) return CelList.of(parts);
  const kept = parts.slice(0, Number(count) - 1);
  return CelList.of([...kept, parts.slice(Number(count) - 1).join(by)]);
}

function substring(text: string, from: bigint, to: bigint): string {
  const points = [...text];
  if (from > to) fail(`invalid substring range. start: ${from}, end: ${to}`);
  if (from < 0n || from > points.length) fail(`index out of range: ${from}`);
  if (to < 0n || to > points.length) fail(`index out of range: ${to}`);
  return points.slice(Number(from), Number(to)).join("");
}

/** Removes Unicode white space at both ends. */
function trim(text: string): string {
  return text.replace(/^[\s\u0085]+|[\s\u0085]+$/gu, "");
}

function join(list: CelList, by: string): string {
  const parts = [...list].map((part) => (typeof part === "string" ? part : fail("no such overload")));
  return parts.join(by);
}

const escapes: Record<string, string> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/** Quotes and escapes a text, so that it can be printed. */
export function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  return `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (character) => escapes[character] ?? character)}"`;
}
