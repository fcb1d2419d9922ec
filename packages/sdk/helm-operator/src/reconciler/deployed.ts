import type { Release } from "../release/release.ts";
import type { Run } from "./run.ts";
import { readStateAnew } from "./state.ts";

/** Returns the release after helm has succeeded. */
export async function deployedRelease(run: Run): Promise<Release> {
  const state = await readStateAnew(run);
  if (state.kind === "deployed") return state.release;
  throw new Error(
    `helm succeeded, but the release ${run.key.name} is ${state.kind}: another helm is working on it`,
  );
}

/**
 * Reports which values the operator overrides, so that readers of the object see why its release differs.
 * Leaves the values out: they may be secrets from the environment, and more people can read Events.
 */
export function reportOverrides({ settings, events, object }: Run): void {
  for (const path of Object.keys(settings.overrideValues ?? {})) {
    events.event(
      object,
      "Warning",
      "ValueOverridden",
      `Chart value ${JSON.stringify(path)} is overridden by the operator`,
    );
  }
}
