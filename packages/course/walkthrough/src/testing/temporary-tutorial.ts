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
import { parsePage } from "../page/parse.ts";
import { type RunOptions, runPage } from "../run/run-page.ts";

/** A tutorial of several pages in a folder of its own, everything gone after `using`. */
export interface TemporaryTutorial {
  readonly folder: string;
  run(page: string, o?: Partial<RunOptions>): ReturnType<typeof runPage>;
  /** What runs have left in their parent folder: nothing. */
  left(): string[];
  [Symbol.dispose](): void;
}

/** Files are relative to the tutorial's folder; in them `~~~` stands for three backticks. */
export function temporaryTutorial(files: Readonly<Record<string, string>>): TemporaryTutorial {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "walkthrough-test-")));
  const folder = join(root, "tutorial");
  const parent = join(root, "runs");
  mkdirSync(parent);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content.replaceAll("~~~", "```"));
  }
  return {
    folder,
    run(name, o) {
      const path = join(folder, name);
      return runPage(parsePage(readFileSync(path, "utf8"), path), { root, parent, ...o });
    },
    left: () => readdirSync(parent),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
