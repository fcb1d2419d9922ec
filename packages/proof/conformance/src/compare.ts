import { type Answer, isMap, type Json, type JsonMap } from "./script.ts";

/** One place in which two answers differ. */
export interface Difference {
  /** The number of the answer among the compared ones of its script, from 1. */
  readonly answer: number;
  /** `POST /api/v1/…` as the script has it. */
  readonly request: string;
  /** `warnings[0]`, `body.spec.replicas`, `body.resources[nodes]`, or `status 400 instead of 500`. */
  readonly path: string;
  /** undefined: missing. */
  readonly ours: Json | undefined;
  readonly real: Json | undefined;
}

type Place = Pick<Difference, "path" | "ours" | "real">;

/**
 * Returns every place in which the answers to a script differ. Answers with different statuses differ in their status
 * and their message only: the rest of their bodies follows from the status.
 */
export function compare(ours: readonly Answer[], real: readonly Answer[]): Difference[] {
  return Array.from({ length: Math.max(ours.length, real.length) }, (_, index) => {
    const [a, b] = [ours[index], real[index]];
    const request = (a ?? b)?.request ?? "";
    const places = a && b && a.status !== b.status ? compareStatuses(a, b) : walk("", toJson(a), toJson(b));
    return places.map((place) => ({ answer: index + 1, request, ...place }));
  }).flat();
}

function compareStatuses(ours: Answer, real: Answer): Place[] {
  const path = `status ${ours.status} instead of ${real.status}`;
  return [
    { path, ours: ours.status, real: real.status },
    ...walk("message", messageOf(ours.body), messageOf(real.body)),
  ];
}

function messageOf(body: Json): Json {
  if (isMap(body)) return body.message ?? `a ${String(body.kind)}`;
  return Array.isArray(body) ? `a stream with ${body.length} events` : body;
}

function toJson(answer: Answer | undefined): Json | undefined {
  return answer === undefined ? undefined : (JSON.parse(JSON.stringify(answer)) as Json);
}

function walk(path: string, ours: Json | undefined, real: Json | undefined): Place[] {
  if (ours === real) return [];
  if (isMap(ours) && isMap(real)) {
    const keys = [...new Set([...Object.keys(real), ...Object.keys(ours)])];
    return keys.flatMap((key) => walk(path === "" ? key : `${path}.${key}`, ours[key], real[key]));
  }
  if (!isList(ours) || !isList(real)) return [{ path, ours, real }];
  if (ours.length === real.length)
    return ours.flatMap((item, index) => walk(`${path}[${index}]`, item, real[index]));
  return walkByName(path, ours, real) ?? [{ path, ours, real }];
}

/** Compares lists of different lengths whose items have unique names. The items that both have must be in one order. */
function walkByName(path: string, ours: readonly Json[], real: readonly Json[]): Place[] | undefined {
  const [own, others] = [byName(ours), byName(real)];
  if (!own || !others) return undefined;
  const common = (from: ReadonlyMap<string, Json>, other: ReadonlyMap<string, Json>) =>
    [...from.keys()].filter((name) => other.has(name));
  const names = [...new Set([...others.keys(), ...own.keys()])];
  return [
    ...walk(`${path} in order`, common(own, others).join(), common(others, own).join()),
    ...names.flatMap((name) => walk(`${path}[${name}]`, own.get(name), others.get(name))),
  ];
}

/** Returns the items by their names; undefined if an item has no name or shares it. */
function byName(items: readonly Json[]): Map<string, Json> | undefined {
  const named = items
    .filter((item): item is JsonMap => isMap(item))
    .map((item): [unknown, Json] => [item.name, item])
    .filter((entry): entry is [string, Json] => typeof entry[0] === "string");
  const map = new Map(named);
  return map.size === items.length ? map : undefined;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
