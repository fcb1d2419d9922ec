import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHistory } from "../cluster/history.ts";
import type { ClusterModel } from "../cluster/open-cluster-model.ts";
import type { ObjectView, TimelineEntry } from "../cluster/wire.ts";
import { followReconciles } from "./follow-reconciles.ts";
import { writeReconcilePreload } from "./record-reconciles.ts";

let folder: string;
let stop: AbortController;
let entries: Omit<TimelineEntry, "seq">[];
let model: ClusterModel;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reconciles-"));
  stop = new AbortController();
  entries = [];
  const order = { uid: "1", kind: "Order", namespace: "shop", name: "one" } as ObjectView;
  const own = { history: createHistory(10, [order]), record: (entry: TimelineEntry) => entries.push(entry) };
  model = own as unknown as ClusterModel;
});
afterEach(() => {
  stop.abort();
  rmSync(folder, { recursive: true, force: true });
});

const done = (change: object = {}) => ({
  ...{
    type: "done",
    controller: "order",
    kind: "Order",
    key: "shop/one",
    at: 5,
    duration: 12.4,
    result: "success",
  },
  cause: { trigger: "updated", resource: "Pod", object: "shop/web", count: 3, queuedFor: 1, retries: 0 },
  ...change,
});

test("an operator's process records its reconciles, and the time line shows them", async () => {
  const NODE_OPTIONS = await writeReconcilePreload(folder);
  const read = followReconciles(model, folder, stop.signal);
  const { type: _, ...message } = done();
  const program = `import { channel } from "node:diagnostics_channel";
    channel("operator-path:workqueue:opened").publish({ queue: "order" });
    channel("operator-path:workqueue:taken").publish({ queue: "", key: "shop/web" });
    channel("operator-path:reconcile:done").publish(${JSON.stringify(message)});
    channel("operator-path:workqueue:taken").publish({ queue: "order", key: "shop/one" });`;
  const env = { NODE_OPTIONS, VITEST: undefined };
  await execa(process.execPath, ["--input-type=module", "--eval", program], { env });
  await read();
  expect(entries).toMatchObject([
    { type: "started", kind: "Controller", name: "order" },
    { type: "reconcile", by: "", namespace: "shop", name: "web", reconcile: { trigger: "" } },
    {
      ...{ type: "reconcile", uid: "1", kind: "Order", name: "one", by: "order", at: 17.4, warning: false },
      text: "Pod shop/web updated and 2 more → success, 12 ms",
      reconcile: { trigger: "Pod shop/web updated and 2 more", duration: 12.4, result: "success" },
    },
  ]);
});

test("reads each line once and whole, and skips what is no record", async () => {
  const read = followReconciles(model, folder, stop.signal);
  const file = join(folder, "1.jsonl");
  const text = JSON.stringify(done({ result: "error", error: "für ✓" }));
  const bytes = Buffer.from(`${text}\n`);
  const cut = bytes.indexOf(0xc3) + 1;
  appendFileSync(file, 'not JSON\n{"type":"other"}\n');
  appendFileSync(file, bytes.subarray(0, cut));
  await read();
  expect(entries).toEqual([]);
  appendFileSync(file, bytes.subarray(cut));
  await read();
  await read();
  expect(entries).toMatchObject([{ warning: true, text: expect.stringMatching(/→ error: für ✓, 12 ms$/) }]);
});
