import type { Run } from "./run.ts";

/** Whether the object is to be left alone; its status says so. */
export async function isPaused({ settings, object, status }: Run): Promise<boolean> {
  const paused = (await settings.isPaused?.(object)) ?? false;
  status.paused(paused);
  return paused;
}
