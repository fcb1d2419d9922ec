import type { Release } from "../release/release.ts";
import type { Run } from "./run.ts";
import { readStateAnew } from "./state.ts";

/** After helm has said that it has done it. */
export async function deployedRelease(run: Run): Promise<Release> {
  const state = await readStateAnew(run);
  if (state.kind === "deployed") return state.release;
  throw new Error(
    `helm has ended without an error, and the release ${run.key.name} is ${state.kind}: somebody else is working on it`,
  );
}

/**
 * Whoever reads the object should know why the release is not what it says; not with what: that may be a secret, out of the
 * environment, and more people may read Events.
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
