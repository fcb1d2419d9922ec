import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a condition. The test's own timeout is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}
