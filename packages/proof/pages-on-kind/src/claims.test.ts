import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { listPages, repositoryRoot } from "@operator-path/learn";
import { parsePage } from "@operator-path/walkthrough";
import { expect, it } from "vitest";
import { unproven, verifiedLine, withVerifiedLine } from "./claims.ts";
import { parseImageName, recipes } from "./images/recipes.ts";
import type { KindReport } from "./report.ts";

const pages = await Promise.all(
  (await listPages(repositoryRoot)).map(async ({ path }) => {
    const text = await readFile(path, "utf8");
    const page = relative(join(repositoryRoot, "tutorials"), path).replace(/\.md$/, "");
    return { page, text, ...parsePage(text, path).frontMatter };
  }),
);
const report = JSON.parse(
  await readFile(join(import.meta.dirname, "../reports/kind.json"), "utf8"),
) as KindReport;

it("pages that claim kind have passed according to the report", () => {
  expect(unproven(pages, report)).toEqual([]);
});

it.each(pages)("$page names its providers below its title", ({ text, providers }) => {
  expect(text).toContain(`\n${verifiedLine({ providers })}\n`);
});

it("reports a claim without a passed run, and the command to run", () => {
  const claims = [
    { page: "a/1-passed", providers: ["embedded", "kind"] },
    { page: "a/2-failed", providers: ["kind"] },
    { page: "a/3-never-run", providers: ["kind"] },
    { page: "a/4-without", providers: ["embedded"] },
  ];
  const rest = { steps: 1, passedSteps: 1, seconds: 1, skipped: [] };
  const words = unproven(claims, {
    pages: [
      { page: "a/1-passed", passed: true, ...rest },
      { page: "a/2-failed", passed: false, ...rest },
    ],
  });
  expect(words).toHaveLength(2);
  expect(words[0]).toMatch(/^a\/2-failed claims kind, .* run `pnpm proof kind --report/);
  expect(words[1]).toMatch(/^a\/3-never-run claims kind/);
});

it("puts the line below the title, and replaces an older one", () => {
  const page = "---\ntitle: T\n---\n\n# T\n\nText.\n";
  const once = withVerifiedLine(page, { providers: ["embedded"] });
  expect(once).toBe("---\ntitle: T\n---\n\n# T\n\n*Verified on the embedded cluster.*\n\nText.\n");
  const again = withVerifiedLine(once, { providers: ["embedded", "envtest", "kind"] });
  expect(again).toBe(
    "---\ntitle: T\n---\n\n# T\n\n*Verified on the embedded cluster, a real kube-apiserver and [kind](../../packages/proof/pages-on-kind/reports/kind.md).*\n\nText.\n",
  );
});

it("has a recipe for each image of the pages on kind, except those of the tutorials", () => {
  const served = new Set(recipes.flatMap(({ servedAs }) => servedAs));
  const named = pages.flatMap(({ providers, images }) => (providers.includes("kind") ? images : []));
  const missing = named.filter(
    (image) => !image.startsWith("payment:") && !served.has(parseImageName(image)),
  );
  expect(missing).toEqual([]);
});
