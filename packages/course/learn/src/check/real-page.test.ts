import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePage } from "@operator-path/walkthrough";
import { afterEach, beforeEach, expect, it } from "vitest";
import { catchUp } from "../catch-up/catch-up.ts";
import { repositoryRoot } from "../repository.ts";
import { shellWords } from "../testing/learner-project.ts";
import { checkWork } from "./check.ts";

let workshops: string;
beforeEach(async () => {
  workshops = await mkdtemp(join(tmpdir(), "real-page-"));
});
afterEach(() => rm(workshops, { recursive: true, force: true }));

it("accepts the first tutorial's first page after each of its steps", async () => {
  const tutorial = join(repositoryRoot, "tutorials/01-podbuggertool");
  const file = (await readdir(tutorial)).find((name) => /^1-.*\.md$/.test(name)) ?? "";
  const path = join(tutorial, file);
  const page = parsePage(await readFile(path, "utf8"), path);
  const project = join(workshops, "01-podbuggertool", page.frontMatter.project ?? "");
  await mkdir(project, { recursive: true });
  // Otherwise the libraries would be packed for `pnpm install`.
  await writeFile(join(project, "pnpm-lock.yaml"), "");
  const said: string[] = [];
  const options = {
    ...{ root: repositoryRoot, workshops, cwd: project, env: {}, signal: new AbortController().signal },
    ...{ words: shellWords, say: (line: string) => void said.push(line) },
  };
  const steps = page.steps.filter(({ slug, cleanUp }) => slug !== "introduction" && !cleanUp);
  expect(steps.length).toBeGreaterThan(3);
  for (const { slug, title } of steps) {
    expect(await catchUp(`1@${slug}`, options)).toBe(0);
    said.length = 0;
    expect(await checkWork(`1@${slug}`, options)).toBe(0);
    expect(said[0]).toContain(`"${title}"`);
  }
});
