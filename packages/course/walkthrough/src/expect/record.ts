import { compileLine } from "./pattern.ts";
import type { Samples } from "./samples.ts";

interface LogRecord {
  readonly text: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

/**
 * Matches a log record: console (`12:00:00 INFO started {"workers": 1}`, `… msg="x" key=value`) or JSON. The
 * record must have the fields that the page shows, and may have more. Returns undefined for lines that are
 * not records or do not match.
 */
export function matchRecord(expected: string, actual: string, samples: Samples): Samples | undefined {
  const left = parseRecord(expected);
  const right = left && parseRecord(actual);
  if (!left || !right) return undefined;
  let bound: Samples | undefined =
    left.text === ""
      ? right.text === ""
        ? samples
        : undefined
      : compileLine(left.text).match(right.text, samples);
  for (const [key, value] of left.fields)
    bound = bound && right.fields.has(key) ? matchValue(value, right.fields.get(key), bound, key) : undefined;
  return bound;
}

function matchValue(expected: unknown, actual: unknown, samples: Samples, key: string): Samples | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return undefined;
    let bound: Samples | undefined = samples;
    for (const [i, value] of expected.entries()) bound = bound && matchValue(value, actual[i], bound, key);
    return bound;
  }
  if (typeof expected === "object" && expected !== null) {
    if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return undefined;
    const fields = new Map(Object.entries(actual));
    let bound: Samples | undefined = samples;
    for (const [name, value] of Object.entries(expected)) {
      bound = bound && fields.has(name) ? matchValue(value, fields.get(name), bound, name) : undefined;
    }
    return bound;
  }
  if (typeof expected === "string" && typeof actual === "string") {
    // One shape needs the key: a resourceVersion alone is a number like any other.
    const prefix = key === "resourceVersion" ? "resourceVersion=" : "";
    return compileLine(prefix + expected).match(prefix + actual, samples);
  }
  if (
    typeof expected === "number" &&
    typeof actual === "number" &&
    /^(?:time|ts|pid|elapsed|duration|latency)/i.test(key)
  )
    return samples;
  return Object.is(expected, actual) ? samples : undefined;
}

/** The start of a log line: a time, a level, or klog's header. */
const start =
  /^(?:\d{4}-\d\d-\d\d[T ]\d|\d\d:\d\d:\d\d|\[?\d\d:\d\d|[IWEF]\d{4} |(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b|(?:time|ts|level|msg)=)/i;

function parseRecord(line: string): LogRecord | undefined {
  const json = parseObject(line.trim());
  if (json) return { text: "", fields: json };
  if (!start.test(line)) return undefined;
  const brace = line.search(/\s\{["}]/);
  const object = brace === -1 ? undefined : parseObject(line.slice(brace).trim());
  if (object) return { text: line.slice(0, brace).trim(), fields: object };
  const pairs = /(?:^|\s+)(?:[A-Za-z_][\w./-]*=(?:"(?:[^"\\]|\\.)*"|[^\s"]*)(?:\s+|$))+$/.exec(line);
  if (!pairs) return { text: line.trim(), fields: new Map() };
  const fields = new Map<string, unknown>();
  for (const pair of pairs[0].matchAll(/([A-Za-z_][\w./-]*)=("(?:[^"\\]|\\.)*"|[^\s"]*)/g)) {
    fields.set(pair[1] ?? "", (pair[2] ?? "").replace(/^"(.*)"$/, "$1"));
  }
  return { text: line.slice(0, pairs.index).trim(), fields };
}

function parseObject(text: string): ReadonlyMap<string, unknown> | undefined {
  if (!text.startsWith("{") || !text.endsWith("}")) return undefined;
  try {
    return new Map(Object.entries(JSON.parse(text) as object));
  } catch {
    return undefined;
  }
}
