import type { Run } from "./run.ts";
import { readStateAnew } from "./state.ts";

/** @param revision the revision to deploy again; helm makes a new revision of it */
export async function rollBack(run: Run, revision: number): Promise<void> {
  const { key, settings, signal } = run;
  delete run.memory.inSync;
  try {
    const { maxReleaseHistory: maxHistory } = settings;
    await settings.helm.rollback({ ...key, revision, maxHistory, signal });
  } finally {
    if (!signal.aborted) await readStateAnew(run);
  }
}
