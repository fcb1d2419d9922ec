import { type Answer, isMap, type Json } from "./script.ts";

/** One place in which two answers are not the same. */
export interface Difference {
  /** Number of the step's answer, from 1. */
  readonly answer: number;
  readonly request: string;
  /** `status`, `warnings[0]`, `body.spec.replicas`. */
  readonly path: string;
  /** undefined: not there. */
  readonly ours: Json | undefined;
  readonly real: Json | undefined;
}

/** All places in which the answers to a script differ; none, if the servers say the same. */
export function compare(ours: readonly Answer[], real: readonly Answer[]): Difference[] {
  const differences: Difference[] = [];
  for (let index = 0; index < Math.max(ours.length, real.length); index++) {
    const [a, b] = [ours[index], real[index]];
    const request = (a ?? b)?.request ?? "";
    const found: { path: string; ours: Json | undefined; real: Json | undefined }[] = [];
    // What follows from another status need not be told.
    const [left, right] = a && b && a.status !== b.status ? [short(a), short(b)] : [toJson(a), toJson(b)];
    walk("", left, right, found);
    differences.push(...found.map((difference) => ({ answer: index + 1, request, ...difference })));
  }
  return differences;
}

function short({ status, body }: Answer): Json {
  return { status, message: isMap(body) ? (body.message ?? `a ${String(body.kind)}`) : body };
}

function toJson(answer: Answer | undefined): Json | undefined {
  return answer === undefined ? undefined : (JSON.parse(JSON.stringify(answer)) as Json);
}

function walk(
  path: string,
  ours: Json | undefined,
  real: Json | undefined,
  found: { path: string; ours: Json | undefined; real: Json | undefined }[],
): void {
  if (ours === real) return;
  if (isMap(ours) && isMap(real)) {
    for (const key of new Set([...Object.keys(real), ...Object.keys(ours)])) {
      walk(path === "" ? key : `${path}.${key}`, ours[key], real[key], found);
    }
  } else if (Array.isArray(ours) && Array.isArray(real) && ours.length === real.length) {
    for (const [index, item] of ours.entries()) walk(`${path}[${index}]`, item, real[index], found);
  } else found.push({ path, ours, real });
}
