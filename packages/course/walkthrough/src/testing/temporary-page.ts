import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import type { RunOptions } from "../run/run-options.ts";
import { runPage } from "../run/run-page.ts";

/** A tutorial of one page in its own folder, which `using` removes. */
export interface TemporaryPage {
  readonly page: Page;
  readonly folder: string;
  /** Folder for the folders of runs. Empty before and after a run. */
  readonly runs: string;
  run(options?: Partial<RunOptions>): ReturnType<typeof runPage>;
  [Symbol.dispose](): void;
}

/**
 * `body` is the page below its front matter. `~~~` stands for three backticks. Files are relative to the
 * tutorial's folder.
 */
export function temporaryPage(
  body: string,
  options: { front?: string; files?: Record<string, string> } = {},
): TemporaryPage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "walkthrough-test-")));
  const folder = join(root, "tutorial");
  const runs = join(root, "runs");
  mkdirSync(runs);
  const path = join(folder, "page.md");
  const markdown = `---\ntitle: Test\n${options.front ?? ""}---\n${body.replaceAll("~~~", "```")}`;
  for (const [name, content] of Object.entries({ ...options.files, "page.md": markdown })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const page = parsePage(markdown, path);
  return {
    page,
    folder,
    runs,
    run: (options = {}) => runPage(page, { root, parent: runs, ...options }),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
