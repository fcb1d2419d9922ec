import type { Resource } from "@operator-path/client";
import type { ManifestObject } from "../drift/parse-manifest.ts";
import { nameOfRepaired, type Repair } from "../drift/repair.ts";
import type { Release } from "../release/release.ts";
import type { Run } from "./run.ts";
import { manifestOf } from "./state.ts";

/**
 * Makes the cluster's objects match the release, and makes this object their owner. Events report repairs.
 *
 * @returns milliseconds until repairs that were put off are due; undefined: only after a change
 * @throws AggregateError if a repair failed and a retry may succeed
 */
export async function repair(run: Run, release: Release): Promise<number | undefined> {
  const { drift, dependents, object, key, signal, status, events } = run;
  const { objects } = manifestOf(run, release);
  dependents?.watch(await resourcesOf(run, objects));
  const repairs = await drift.repair({ objects, owner: object, release: { ...key }, signal });
  for (const each of repairs) {
    const [reason, text] = eventOf(each);
    if (reason) events.event(object, "Warning", reason, `${nameOfRepaired(each.object)}${text}`);
  }
  const failed = repairs.filter(({ action }) => action === "failed");
  if (failed.length === 0) return drift.reconsiderAfter(key);
  const why = failed.map((each) => `${nameOfRepaired(each.object)}: ${each.error?.message}`).join("; ");
  status.irreconcilable("ReconcileError", new Error(why));
  // Another try would not help the other failures: they wait for a change, or for ten minutes.
  if (failed.some(({ retry }) => retry)) {
    throw new AggregateError(
      failed.map(({ error }) => error),
      why,
    );
  }
  return drift.reconsiderAfter(key);
}

/** Returns reason and message of the Event about a repair; an empty list when there is nothing to report. */
function eventOf({ action, fields, others = [], pause = 0 }: Repair): [reason?: string, text?: string] {
  switch (action) {
    case "created":
      return ["DriftRepaired", " was gone: created"];
    case "patched":
      return ["DriftRepaired", ` was changed: ${fields.join(", ")} set back`];
    case "contested": {
      const by = others.length > 0 ? `, by ${others.join(", ")}` : "";
      const what = fields.length > 0 ? `: ${fields.join(", ")} is changed` : " is deleted";
      const next = `the next repair is in ${Math.ceil(pause / 1_000)} s`;
      return [
        "DriftContested",
        `${what} after each repair${by}: ${next}; only one of the two should manage it`,
      ];
    }
    default:
      return [];
  }
}

async function resourcesOf({ mapper }: Run, objects: readonly ManifestObject[]): Promise<Resource[]> {
  const found = await Promise.all(objects.map(({ object }) => mapper.resourceFor(object)));
  return found.filter((resource) => resource !== undefined);
}
