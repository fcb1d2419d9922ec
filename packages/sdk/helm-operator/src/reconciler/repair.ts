import type { Resource } from "@operator-path/client";
import type { ManifestObject } from "../drift/parse-manifest.ts";
import { nameOfRepaired } from "../drift/repair.ts";
import type { Release } from "../release/release.ts";
import { manifestOf } from "./known-manifest.ts";
import type { Run } from "./run.ts";

/**
 * Makes the cluster's objects what the release says, and this object their owner. Who changes them is told so by an Event.
 *
 * @returns milliseconds after which to look again at what could not be; undefined: when something changes
 * @throws AggregateError when some could not be, and may be the next time
 */
export async function repair(run: Run, release: Release): Promise<number | undefined> {
  const { drift, dependents, object, key, signal, status, events } = run;
  const { objects } = manifestOf(run, release);
  dependents?.watch(await resourcesOf(run, objects));
  const repairs = await drift.repair({ objects, owner: object, release: { ...key }, signal });
  for (const each of repairs) {
    if (each.action === "created")
      events.event(object, "Warning", "DriftRepaired", `${nameOfRepaired(each.object)} was gone: created`);
    if (each.action === "patched") {
      events.event(
        object,
        "Warning",
        "DriftRepaired",
        `${nameOfRepaired(each.object)} was changed: ${each.fields.join(", ")} set back`,
      );
    }
  }
  const failed = repairs.filter(({ action }) => action === "failed");
  if (failed.length === 0) return drift.reconsiderAfter(key);
  const why = failed.map((each) => `${nameOfRepaired(each.object)}: ${each.error?.message}`).join("; ");
  status.irreconcilable("ReconcileError", new Error(why));
  // What another try would not mend waits for a change, or for a while.
  if (failed.some(({ retry }) => retry)) {
    throw new AggregateError(
      failed.map(({ error }) => error),
      why,
    );
  }
  return drift.reconsiderAfter(key);
}

async function resourcesOf({ mapper }: Run, objects: readonly ManifestObject[]): Promise<Resource[]> {
  const found = await Promise.all(objects.map(({ object }) => mapper.resourceFor(object)));
  return found.filter((resource) => resource !== undefined);
}
