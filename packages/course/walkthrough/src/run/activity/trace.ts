import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * What Node loads first in the terminals of a run. Tests of a project drive their controllers as they like, so theirs
 * are left out.
 */
const preload = `import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
const file = new URL(process.pid + ".jsonl", import.meta.url);
subscribe("operator-path:workqueue:taken", ({ queue, key }) => {
  if (process.env.VITEST || process.env.NODE_TEST_CONTEXT) return;
  const record = { at: Date.now(), type: "reconcile", process: String(process.pid), queue, key };
  appendFileSync(file, JSON.stringify(record) + "\\n");
});
`;

/**
 * Makes the folder in which a run's processes record what their controllers do.
 *
 * @returns NODE_OPTIONS that make a Node process record the keys that its work queues hand out
 */
export function makeTrace(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "preload.mjs");
  writeFileSync(file, preload);
  return `--import=${pathToFileURL(file)}`;
}
