import { join } from "node:path";
import { parsePage } from "@operator-path/walkthrough";
import { onTestFinished } from "vitest";
import type { ActionState } from "../action-state.ts";
import type { CommandsPart } from "../page/page-view.ts";
import { viewPage } from "../page/view-page.ts";
import { createPageRun } from "../page-run.ts";
import { createTerminals } from "../terminals.ts";
import { testLearner } from "./learner.ts";

const fence = "```";

/**
 * Opens a page of console blocks.
 *
 * @param heading of another step, before the last block
 * @param done keys of actions that are done already
 */
export function openPage(blocks: string[], rc = "", heading = "", done: readonly string[] = []) {
  const learner = testLearner(rc);
  const body = blocks
    .map((block, i) => `${i === blocks.length - 1 ? heading : ""}\n${fence}console${block}\n${fence}\n`)
    .join("\n");
  const page = parsePage(`---\ntitle: Try\nproject: p\n---\n## S\n\n${body}`, "page.md");
  let output = "";
  let printed = "";
  const terminals = createTerminals({
    ...{ shell: learner.shell, directory: join(learner.folder, "shells") },
    onData: (_name, data, isPrinted) => {
      output += data;
      if (isPrinted) printed += data;
    },
    onTyped: (name, command) => run.typed(name, command, shown.step),
    onChange: () => undefined,
  });
  onTestFinished(() => terminals.close());
  const changes: [string, ActionState["status"]][] = [];
  const messages: string[] = [];
  const gone = new Set<string>();
  const shown: { step?: string } = {};
  const run = createPageRun({
    ...{ page, terminals, learner: learner.project, done, signal: new AbortController().signal },
    isGone: (name) => gone.has(name),
    explain: async () => ({
      missing: ["map.yaml"],
      explanation: [{ title: "Pods that are not ready", lines: ["default/web"] }],
    }),
    onChange(key, { status, message }) {
      changes.push([key, status]);
      if (status === "running" && message !== undefined) messages.push(message);
    },
  });
  const parts = viewPage(page, { name: "t/1" }).steps[1]?.parts ?? [];
  const commands = parts.filter((part): part is CommandsPart => part.kind === "commands");
  return {
    ...{ run, terminals, shown, changes, messages, page, gone, project: learner.project },
    output: () => output,
    printed: () => printed,
    accept: (block: number) => {
      const { id = "", hash = "" } = commands[block] ?? {};
      return run.accept({ id, hash, entry: 0 });
    },
    act: (block: number, entry = 0) => {
      const { id = "", hash = "" } = commands[block] ?? {};
      return run.run({ id, hash, entry });
    },
  };
}
