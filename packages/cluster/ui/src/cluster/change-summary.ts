import type { ObjectMeta } from "@operator-path/client";

/** Fields that change with every write and say nothing about it. */
const uninteresting = new Set(["metadata.resourceVersion", "metadata.generation", "metadata.managedFields"]);

const longestValue = 40;
const mostParts = 3;

/** Returns what differs between two versions of an object, in one line: "status.phase: Pending → Running". */
export function summarizeChange(before: object, after: object): string {
  const parts: string[] = [];
  let more = 0;
  compare(before, after, "", (path, from, to) => {
    if (parts.length < mostParts) parts.push(`${path}: ${show(from)} → ${show(to)}`);
    else more++;
  });
  return [...parts, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function compare(
  before: unknown,
  after: unknown,
  path: string,
  report: (path: string, before: unknown, after: unknown) => void,
): void {
  if (before === after || uninteresting.has(path)) return;
  if (!isObject(before) || !isObject(after)) {
    report(path, before, after);
    return;
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const at = Array.isArray(after)
      ? `${path}[${nameOf(after, before, key)}]`
      : path
        ? `${path}.${key}`
        : key;
    compare(before[key], after[key], at, report);
  }
}

/** Conditions and containers are recognized by type and name. */
function nameOf(after: object, before: object, key: string): string {
  const item =
    (after as Readonly<Record<string, unknown>>)[key] ?? (before as Readonly<Record<string, unknown>>)[key];
  const name = isObject(item) ? (item.type ?? item.name) : undefined;
  return typeof name === "string" ? name : key;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function show(value: unknown): string {
  if (value === undefined) return "–";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}

type Entry = NonNullable<ObjectMeta["managedFields"]>[number];

/** Returns the field manager that wrote the last change, or "" if the managed fields do not say. */
export function writerOf(before: ObjectMeta | undefined, after: ObjectMeta | undefined): string {
  const known = new Map((before?.managedFields ?? []).map((entry) => [identity(entry), entry]));
  const ranked = (after?.managedFields ?? []).map((entry) => ({
    entry,
    rank: rankOf(entry, known.get(identity(entry))),
  }));
  ranked.sort((a, b) => b.rank - a.rank || (b.entry.time ?? "").localeCompare(a.entry.time ?? ""));
  return ranked[0]?.entry.manager ?? "";
}

/**
 * Returns how much speaks for an entry. Times have seconds only, so a second write within a second shows in the
 * fields. The entry of a manager that lost fields to the writer changes, too, and becomes shorter.
 */
function rankOf(entry: Entry, before: Entry | undefined): number {
  if (!before) return 3;
  if (before.time !== entry.time) return 2;
  return JSON.stringify(entry.fieldsV1).length > JSON.stringify(before.fieldsV1).length ? 1 : 0;
}

function identity({ manager, operation, subresource }: Entry): string {
  return JSON.stringify([manager, operation, subresource]);
}
