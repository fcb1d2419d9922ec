import type { KubeObject, ObjectMeta } from "@operator-path/client";

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

/**
 * Returns whether nothing but the time of a heartbeat has changed: kubelets renew the conditions of their Nodes every
 * five minutes, and Leases every ten seconds.
 */
export function isHeartbeat(before: KubeObject, after: KubeObject): boolean {
  const paths: string[] = [];
  compare(before, after, "", (path) => paths.push(path));
  const isTime = (path: string) =>
    path.endsWith("].lastHeartbeatTime") || (path === "spec.renewTime" && after.kind === "Lease");
  return paths.length > 0 && paths.every(isTime);
}

/** Milliseconds between the time in a heartbeat and that of its write: the latter has seconds only. */
const heartbeatSlack = 2000;

/**
 * Returns whether the last write of an object whose earlier state is unknown was a heartbeat, by its times: it renewed
 * the Lease, or reported a Node's conditions, and nothing was acquired or changed its condition in it.
 */
export function looksLikeHeartbeat(object: KubeObject): boolean {
  const writes = (object.metadata?.managedFields ?? []).map(({ time }) => timeOf(time));
  const written = Math.max(...writes);
  const isOfWrite = (time: unknown) => Math.abs(timeOf(time) - written) <= heartbeatSlack;
  const { spec, status } = object as { spec?: unknown; status?: unknown };
  if (object.kind === "Lease" && isObject(spec))
    return isOfWrite(spec.renewTime) && !isOfWrite(spec.acquireTime);
  if (object.kind !== "Node" || !isObject(status) || !Array.isArray(status.conditions)) return false;
  const conditions = status.conditions.filter(isObject);
  return (
    conditions.some((one) => isOfWrite(one.lastHeartbeatTime)) &&
    !conditions.some((one) => isOfWrite(one.lastTransitionTime))
  );
}

function timeOf(time: unknown): number {
  return Date.parse(String(time));
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

/**
 * Returns the field manager that wrote the last change, or "" if the managed fields do not say: a binding and a
 * request to delete leave no trace in them.
 *
 * @param change the object before and after it. Tells apart writes of one second
 */
export function writerOf(
  before: ObjectMeta | undefined,
  after: ObjectMeta | undefined,
  change?: readonly [before: object, after: object],
): string {
  const known = new Map((before?.managedFields ?? []).map((entry) => [identity(entry), entry]));
  const fields = change && changedFields(...change);
  const ranked = (after?.managedFields ?? []).map((entry) => {
    const old = known.get(identity(entry));
    const owns = fields?.some((path) => ownsField(entry, path) || (old && ownsField(old, path))) ?? false;
    return { entry, rank: rankOf(entry, old), owns };
  });
  ranked.sort(
    (a, b) =>
      b.rank - a.rank ||
      Number(b.owns) - Number(a.owns) ||
      (b.entry.time ?? "").localeCompare(a.entry.time ?? ""),
  );
  const [first] = ranked;
  if (!first || (fields && first.rank === 0 && !first.owns)) return "";
  return first.entry.manager ?? "";
}

/** Returns the paths of the fields that differ. A list is one field. */
function changedFields(before: unknown, after: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (before === after || uninteresting.has(path.join("."))) return [];
  const areMaps = [before, after].every((one) => isObject(one) && !Array.isArray(one));
  if (!areMaps || !isObject(before) || !isObject(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => changedFields(before[key], after[key], [...path, key]));
}

/** Reports whether an entry of the managed fields contains a field, or a part of it. */
function ownsField({ fieldsV1 }: Entry, path: readonly string[]): boolean {
  let fields: unknown = fieldsV1;
  for (const key of path) {
    if (!isObject(fields)) return false;
    // An entry that ends here owns all that is below.
    if (Object.keys(fields).length === 0) return fields !== fieldsV1;
    fields = fields[`f:${key}`];
  }
  return isObject(fields);
}

/**
 * Rates how likely it is that an entry names the writer. Times have seconds only, so a second write within a second
 * shows in the fields. The entry of a manager that lost fields to the writer changes, too, and becomes shorter.
 */
function rankOf(entry: Entry, before: Entry | undefined): number {
  if (!before) return 3;
  if (before.time !== entry.time) return 2;
  return JSON.stringify(entry.fieldsV1).length > JSON.stringify(before.fieldsV1).length ? 1 : 0;
}

function identity({ manager, operation, subresource }: Entry): string {
  return JSON.stringify([manager, operation, subresource]);
}
