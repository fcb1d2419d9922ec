import { basename, dirname } from "node:path";
import type { Page } from "@operator-path/walkthrough";
import type { Outcome } from "@operator-path/workbench";
import type { PageFile } from "../pages.ts";
import { readPage } from "../read-page.ts";

/**
 * Returns what a command of the course says, for the browser's window: it has buttons instead of commands, and steps
 * instead of lines.
 *
 * @param path the shown page
 * @param files all pages
 */
export function inWindow({ ok, text }: Outcome, path: string, files: readonly PageFile[]): Outcome {
  const siblings = files.filter((file) => dirname(file.path) === dirname(path));
  const stepAt = (name: string, line: number): string | undefined => {
    const file = siblings.find((one) => basename(one.path) === name);
    const step = file && stepOf(readPage(file), line);
    return step && `the step "${step}"${file.path === path ? "" : ` of ${file.name}`}`;
  };
  const shown = text
    // The quoted title of a step says where it is.
    .replaceAll(/(Next: "[^"\n]*"|step \d+ of \d+, "[^"\n]*") \(\d+-[\w-]+\.md:\d+\)/g, "$1")
    .replaceAll(/(at |\()?\b(\d+-[\w-]+\.md):(\d+)/g, (whole, before = "", name: string, line: string) => {
      const step = stepAt(name, Number(line));
      return step === undefined ? whole : `${before === "at " ? "in " : before}${step}`;
    })
    .replaceAll(/`catch-up[^`\n]*`/g, '"Catch up to here"')
    .replaceAll(/`learn diff [^`\n]*`/g, '"Show mine beside it"')
    .replaceAll(
      "`exercise` lists the exercises, their hints and solutions.",
      "Its buttons give hints and the solution.",
    );
  return { ok, text: shown };
}

/** Returns the title of the step of a line. */
function stepOf({ steps }: Page, line: number): string | undefined {
  return steps.findLast((step) => step.line <= line)?.title;
}
