/**
 * Run in a process of its own, with --expose-gc: loads the subject of its first argument and measures, on the
 * server of its second one (KUBECONFIG names it too), the task that its third one holds as JSON; the figures go to its
 * parent. Without a task it has done with loading. It imports nothing that a
 * subject would not import by itself.
 */
import type { Task } from "../measurement.ts";
import { nodeSubjects } from "../subjects/names.ts";
import { measures } from "./measures.ts";

// Without a parent nobody wants to know.
process.once("disconnect", () => process.exit(1));
const [subject, server, json] = process.argv.slice(2) as [string, string, string | undefined];
const load = nodeSubjects[subject];
if (load === undefined) throw new Error(`there is no subject ${subject}`);
const start = await load();
if (json === undefined) process.exit();
const task = JSON.parse(json) as Task;
const figures = await measures[task.measure](task, start, server);
process.send?.(figures, () => process.exit(0));
