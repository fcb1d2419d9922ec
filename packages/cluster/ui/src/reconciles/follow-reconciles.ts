import { watch } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ClusterModel } from "../cluster/open-cluster-model.ts";
import type { ObjectView } from "../cluster/wire.ts";

const record = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("done"),
    controller: z.string(),
    kind: z.string().optional(),
    key: z.string(),
    cause: z.object({
      trigger: z.string(),
      resource: z.string().optional(),
      object: z.string().optional(),
      count: z.number(),
    }),
    at: z.number(),
    duration: z.number(),
    result: z.string(),
    error: z.string().optional(),
  }),
  z.object({ type: z.literal("opened"), queue: z.string(), at: z.number() }),
  z.object({ type: z.literal("taken"), queue: z.string(), key: z.string(), at: z.number() }),
]);
type ReconcileRecord = z.infer<typeof record>;

/** Bytes that are read of a file at a time. */
const chunkSize = 64 * 1024;

/**
 * Adds the starts and reconciles that operators record in a folder to the time line of a model, as they are recorded.
 *
 * @param folder that of `writeReconcilePreload`
 * @returns a function that reads what has been recorded, for callers that cannot wait for the system's notification
 */
export function followReconciles(
  model: ClusterModel,
  folder: string,
  signal: AbortSignal,
): () => Promise<void> {
  /** How much of each file was read. */
  const positions = new Map<string, number>();
  const rests = new Map<string, string>();
  let reading: Promise<void> | undefined;
  let again = false;

  async function readAll(): Promise<void> {
    do {
      again = false;
      for (const name of (await readdir(folder)).filter((name) => name.endsWith(".jsonl")))
        await readNew(name);
    } while (again && !signal.aborted);
  }

  async function readNew(name: string): Promise<void> {
    await using file = await open(join(folder, name));
    const buffer = Buffer.alloc(chunkSize);
    for (;;) {
      const position = positions.get(name) ?? 0;
      const { bytesRead } = await file.read(buffer, 0, chunkSize, position);
      if (bytesRead === 0) return;
      positions.set(name, position + bytesRead);
      // Latin-1 keeps a character whole that two chunks share, until the line is complete.
      const lines = ((rests.get(name) ?? "") + buffer.toString("latin1", 0, bytesRead)).split("\n");
      rests.set(name, lines.pop() ?? "");
      for (const line of lines) add(Buffer.from(line, "latin1").toString("utf8"));
    }
  }

  function add(line: string): void {
    const parsed = record.safeParse(jsonOf(line));
    if (parsed.success) model.record(entryOf(parsed.data, model.history.now.values()));
  }

  function read(): Promise<void> {
    again = true;
    // The folder disappears with the view.
    reading ??= readAll()
      .catch(() => {})
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }

  watch(folder, { signal }, () => void read()).on("error", () => {});
  // Reads the records of earlier operators.
  void read();
  return read;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function entryOf(
  found: ReconcileRecord,
  objects: Iterable<ObjectView>,
): Parameters<ClusterModel["record"]>[0] {
  if (found.type === "opened") {
    const kind = found.queue === "" ? "Operator" : "Controller";
    const none = { uid: "", namespace: "", by: "", text: "" };
    return { ...none, kind, name: found.queue, type: "started", at: found.at };
  }
  const { key } = found;
  const at = key.lastIndexOf("/");
  const [namespace, name] = [key.slice(0, Math.max(0, at)), key.slice(at + 1)];
  const kind = found.type === "done" ? found.kind : undefined;
  const uid = kind === undefined ? "" : (uidOf(objects, kind, namespace, name) ?? "");
  // A reconcile is on the time line when it ends: by then, entries that are newer than its start exist.
  const ended = found.type === "done" ? found.at + found.duration : found.at;
  const common = { uid, kind: kind ?? "", namespace, name, type: "reconcile", at: ended } as const;
  if (found.type === "taken") return { ...common, by: found.queue, text: "", reconcile: { trigger: "" } };
  const { controller, cause, duration, result, error } = found;
  const trigger = triggerOf(cause);
  const text = `${trigger} → ${result}${error === undefined ? "" : `: ${error}`}, ${Math.round(duration)} ms`;
  return {
    ...common,
    by: controller,
    text,
    warning: error !== undefined,
    reconcile: { trigger, duration, result },
  };
}

function uidOf(
  objects: Iterable<ObjectView>,
  kind: string,
  namespace: string,
  name: string,
): string | undefined {
  for (const view of objects)
    if (view.name === name && view.kind === kind && view.namespace === namespace) return view.uid;
  return undefined;
}

function triggerOf({
  trigger,
  resource,
  object,
  count,
}: Extract<ReconcileRecord, { type: "done" }>["cause"]): string {
  const what = resource === undefined ? trigger : `${resource} ${object ?? ""} ${trigger}`;
  return count > 1 ? `${what} and ${count - 1} more` : what;
}
