import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { changeFinished, readFinished, withSteps } from "../finished-steps.ts";
import { listPages } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { repositoryRoot as root } from "../repository.ts";
import { recordDone, stepsWithoutProof } from "./record.ts";
import { stepsOf } from "./steps.ts";

test("a check in the window finishes no step of an earlier page", async () => {
  const workshops = await mkdtemp(join(tmpdir(), "record-"));
  onTestFinished(() => rm(workshops, { recursive: true }));
  const names = ["02-memcached-operator/2", "02-memcached-operator/3"];
  const pages = (await listPages(root)).filter(({ name }) => names.includes(name)).map(readPage);
  const [first, second] = pages;
  const begun = first?.steps.slice(1, 3).map(({ slug }) => slug) ?? [];
  await changeFinished(workshops, (before) => withSteps(before, "02-memcached-operator/2", "done", begun));
  const steps = stepsOf(pages).filter(({ page }) => page === second);
  const [, one, two] = steps;
  if (!two) throw new Error("the page has too few steps");
  const except = stepsWithoutProof(pages, second, new Set([one?.step.slug ?? ""]));
  await recordDone({ pages, tutorial: "", work: "", project: "" }, two, { root, workshops }, { except });
  const { finished } = await readFinished(workshops);
  expect(finished).toMatchObject({
    last: "02-memcached-operator/3",
    pages: {
      "02-memcached-operator/2": { done: begun },
      "02-memcached-operator/3": { done: [two.step.slug] },
    },
  });
});
