import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Page } from "../page/page.ts";
import { parsePage } from "../page/parse.ts";
import type { RunOptions } from "../run/run-options.ts";
import { runPage } from "../run/run-page.ts";

/** A tutorial of several pages in its own folder, which `using` removes. */
export interface TemporaryTutorial {
  readonly folder: string;
  page(name: string): Page;
  /** Returns a line of a page. Lines count from 1. */
  line(page: string, number: number | undefined): string | undefined;
  remove(file: string): void;
  run(page: string, options?: Partial<RunOptions>): ReturnType<typeof runPage>;
  /** Returns what runs left in their parent folder. It should be empty. */
  left(): string[];
  [Symbol.dispose](): void;
}

/** Files are relative to the tutorial's folder. In them, `~~~` stands for three backticks. */
export function temporaryTutorial(files: Readonly<Record<string, string>>): TemporaryTutorial {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "walkthrough-test-")));
  const folder = join(root, "tutorial");
  const parent = join(root, "runs");
  mkdirSync(parent);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content.replaceAll("~~~", "```"));
  }
  const page = (name: string): Page => {
    const path = join(folder, name);
    return parsePage(readFileSync(path, "utf8"), path);
  };
  return {
    folder,
    page,
    line: (name, number = 0) => page(name).source.split("\n")[number - 1],
    remove: (file) => rmSync(join(folder, file)),
    run: (name, options) => runPage(page(name), { root, parent, ...options }),
    left: () => readdirSync(parent),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
