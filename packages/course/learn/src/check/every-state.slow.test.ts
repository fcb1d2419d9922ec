import { formatHistory, parseHistory, recordHistory } from "@operator-path/walkthrough";
import { describe, expect, it } from "vitest";
import { listPages } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { repositoryRoot } from "../repository.ts";
import { pagesOfProject } from "./place.ts";
import { filesAt, leavesFiles, standingOf } from "./standing.ts";

const pages = (await listPages(repositoryRoot)).map(readPage);
const projects = Map.groupBy(pages, (page) => pagesOfProject(pages, page)[0]?.path ?? page.path);

describe.each([...projects])("the project that begins with %s", (_, [first]) => {
  it("has reached each state of the page with the page's own files, and lacks nothing", async () => {
    const project = first ? pagesOfProject(pages, first) : [];
    const recorded = await recordHistory(project, { root: repositoryRoot });
    expect(recorded.states.length).toBeGreaterThan(0);
    // As `check` reads it the second time.
    const history = parseHistory(formatHistory(recorded, project), project) ?? recorded;
    expect(history).toEqual(recorded);
    for (const [index, { step, page, block }] of history.states.entries()) {
      const own = new Map([...filesAt(history, index)].map(([file, { text }]) => [file, text]));
      const { reached, differences } = standingOf(history, own);
      const at = `${page.path}:${block.line}`;
      expect({ at, lacks: differences.map(({ file }) => file) }).toEqual({ at, lacks: [] });
      // A step that takes its edits back may not have begun.
      if (!leavesFiles(history, step))
        expect({ at, step: history.states[reached]?.step.slug }).toEqual({ at, step: step.slug });
    }
  });
});
