import type { Run } from "./run.ts";

/** Returns whether the object is paused, and reports it in the status. */
export async function isPaused({ settings, object, status }: Run): Promise<boolean> {
  const paused = (await settings.isPaused?.(object)) ?? false;
  status.paused(paused);
  return paused;
}
