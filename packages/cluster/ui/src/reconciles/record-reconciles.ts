import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Node loads this module first in an operator. The libraries publish what their controllers do on diagnostics
 * channels. A work queue without a controller reports only what it hands out. A file exists only for a process with
 * workers.
 */
const preload = `import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
const file = new URL(process.pid + ".jsonl", import.meta.url);
const append = (record) => {
  if (process.env.VITEST || process.env.NODE_TEST_CONTEXT) return;
  try {
    appendFileSync(file, JSON.stringify(record) + "\\n");
  } catch {
    // The view has ended, and with it the folder. The operator must not notice.
  }
};
const controllers = new Set();
subscribe("operator-path:workqueue:opened", ({ queue }) => append({ type: "opened", queue, at: Date.now() }));
subscribe("operator-path:reconcile:done", (message) => {
  controllers.add(message.controller);
  append({ type: "done", ...message });
});
subscribe("operator-path:workqueue:taken", ({ queue, key }) => {
  if (queue === "" || !controllers.has(queue)) append({ type: "taken", queue, key, at: Date.now() });
});
`;

/**
 * Writes the module with which an operator records its reconciles into a folder.
 *
 * @returns the value of NODE_OPTIONS for the operator's process
 */
export async function writeReconcilePreload(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "preload.mjs");
  await writeFile(file, preload, { mode: 0o600 });
  return `--import=${pathToFileURL(file)}`;
}
