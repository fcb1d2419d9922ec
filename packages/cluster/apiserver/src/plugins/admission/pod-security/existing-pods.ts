import type { ApiObject } from "../../../lib/json/json.ts";
import type { AdmissionContext } from "../../../server/admission/admission.ts";
import { podLike } from "./check.ts";
import { evaluatePod, reasons } from "./evaluate.ts";
import { type LevelVersion, levelText } from "./policy.ts";

/** The most Pods that are evaluated, because a namespace may have many. */
const maximum = 3_000;

/** Returns warnings about existing Pods that violate the new level of their namespace. They keep running. */
export function warnOfPods(
  context: AdmissionContext,
  namespace: string,
  enforce: LevelVersion,
  warn: (text: string) => void,
): void {
  const all = context.store.range("pods", { prefix: `${namespace}/` }).map(({ object }) => object);
  const pods = oneOfEachControllerFirst(all).slice(0, maximum);
  const byReasons = new Map<string, string[]>();
  for (const pod of pods) {
    const violations = evaluatePod(enforce, podLike(pod));
    if (violations.length === 0) continue;
    const key = reasons(violations);
    byReasons.set(key, [...(byReasons.get(key) ?? []), pod.metadata.name as string]);
  }
  if (pods.length < all.length) {
    warn(
      `new PodSecurity enforce level only checked against the first ${pods.length} of ${all.length} existing pods`,
    );
  }
  if (byReasons.size === 0) return;
  const level = JSON.stringify(levelText(enforce));
  warn(`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level ${level}`);
  const lines = [...byReasons].map(([why, names]) => `${names.sort()[0]}${others(names.length - 1)}: ${why}`);
  for (const line of lines.sort()) warn(line);
}

function others(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " (and 1 other pod)" : ` (and ${count} other pods)`;
}

/** Orders Pods so that one of each controller comes first, because Pods of a controller are alike. */
function oneOfEachControllerFirst(pods: ApiObject[]): ApiObject[] {
  const seen = new Set<string>();
  const first: ApiObject[] = [];
  const rest: ApiObject[] = [];
  for (const pod of pods) {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    if (owner !== undefined && seen.has(owner)) rest.push(pod);
    else first.push(pod);
    if (owner !== undefined) seen.add(owner);
  }
  return [...first, ...rest];
}
