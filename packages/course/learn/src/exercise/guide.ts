import { readFile } from "node:fs/promises";
import { log, note } from "@clack/prompts";
import type { ExerciseGuide } from "@operator-path/walkthrough";
import { choose } from "../choose.ts";
import { shortPath } from "../pages.ts";
import { keepAttempt } from "./keep.ts";
import { formatResults } from "./results.ts";
import { typeErrorsIn } from "./type-errors.ts";

type Choice = "check" | "hint" | "solution" | "stop";

/**
 * Returns a guide that asks on this terminal. It saves what the learner wrote to `folder` before the page
 * goes on.
 */
export function createGuide(folder: string, signal: AbortSignal): ExerciseGuide {
  const shown = new Map<string, number>();
  return {
    async ask(task, results) {
      const text = await readFile(task.path, "utf8").catch(() => task.starter);
      const own = { file: task.path, text, starter: task.starter };
      const errors = await typeErrorsIn({ ...task, text: own.text }, { env: process.env, signal });
      const state = errors.length > 0 ? errors.join("\n") : formatResults(results, own);
      log.step(`Your turn: edit ${task.path} until this passes.\n${state}`);
      for (;;) {
        const next = shown.get(task.path) ?? 0;
        const left = task.hints.length - next;
        const choice = await choose<Choice>({
          message: "When you have saved the file:",
          options: [
            { value: "check", label: "Check it", hint: "run its tests" },
            ...(left > 0 ? [{ value: "hint" as const, label: `Show a hint (${left} left)` }] : []),
            { value: "solution", label: "Continue with the solution" },
            { value: "stop", label: "Stop here", hint: "cleans up" },
          ],
          signal,
        });
        if (choice === undefined) return "stop";
        if (choice !== "hint") return choice;
        note(task.hints[next] ?? "", `Hint ${next + 1}`);
        shown.set(task.path, next + 1);
      }
    },
    async ended({ path, file, starter }, outcome) {
      const own = await readFile(path, "utf8").catch(() => starter);
      if (outcome === "solved") log.success("It passes.");
      if (own === starter) return;
      const attempt = shortPath(await keepAttempt(folder, file, own), process.cwd());
      const onward =
        outcome === "stop"
          ? ""
          : " The page continues with its own solution, because later steps edit its exact lines.";
      log.info(`What you wrote is in ${attempt}.${onward}`);
    },
  };
}
