/**
 * Runs in a process of its own, with --expose-gc. Loads the subject of its first argument and measures the
 * task of its third argument (JSON) on the server of its second one, which KUBECONFIG names too. Sends the
 * figures to its parent. Without a task it only loads. It imports nothing that a subject would not import by
 * itself.
 */
import type { Task } from "../measurement.ts";
import { nodeSubjects } from "../subjects/names.ts";
import { measures } from "./measures.ts";

// Ends with the parent.
process.once("disconnect", () => process.exit(1));
const [subject, server, json] = process.argv.slice(2) as [string, string, string | undefined];
const load = nodeSubjects[subject];
if (load === undefined) throw new Error(`unknown subject ${subject}`);
const start = await load();
if (json === undefined) process.exit();
const task = JSON.parse(json) as Task;
const figures = await measures[task.measure](task, start, server);
process.send?.(figures, () => process.exit(0));
