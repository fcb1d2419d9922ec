import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { parsePage } from "../page/parse.ts";
import { applyWithGit, applyWithPatch } from "../testing/apply-diff.ts";
import { readHistory } from "./history.ts";

const root = join(import.meta.dirname, "../../../../..");
/** The history goes on from a tutorial's first page to its others. */
const firsts = globSync("tutorials/*/1-*.md", { cwd: root }).sort();

// Each page replays the commands of the pages before it.
const limit = 600_000;

test.each(firsts)(
  "patch and git apply take every diff from %s on",
  async (file) => {
    const path = join(root, file);
    const { states } = await readHistory(parsePage(readFileSync(path, "utf8"), path), { root });
    const edits = states.flatMap((state) =>
      state.block.kind === "edit" ? [{ ...state, block: state.block }] : [],
    );
    expect(edits.length).toBeGreaterThan(0);
    for (const { page, path: edited, before = "", after, block } of edits) {
      const where = `${relative(root, page.path)}:${block.line}`;
      expect(applyWithPatch(edited, before, block.content), where).toBe(after);
      expect(applyWithGit(edited, before, block.content), where).toBe(after);
    }
  },
  limit,
);
