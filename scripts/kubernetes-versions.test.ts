import { join } from "node:path";
import { kubernetesVersions } from "@operator-path/tools";
import { expect, it } from "vitest";
import { textFiles } from "./src/bump-kubernetes/bump.ts";
import { type Site, sites } from "./src/bump-kubernetes/sites.ts";
import { differencesIn, unknownIn } from "./src/bump-kubernetes/texts.ts";

const files = await textFiles(join(import.meta.dirname, ".."));

it("repeats the versions of packages/cluster/tools/src/kubernetes-versions.ts everywhere", () => {
  const problems = files
    .flatMap((file) => differencesIn(file, kubernetesVersions))
    .map(({ file, line, found, expected, redo = "run pnpm bump-kubernetes" }) => {
      return `${file}:${line} says ${found}, not ${expected}: ${redo}`;
    });
  expect(problems).toEqual([]);
});

it("lists every mention of the Kubernetes version in scripts/src/bump-kubernetes/sites.ts", () => {
  expect(files.flatMap((file) => unknownIn(file, kubernetesVersions))).toEqual([]);
});

it("lists no place that is not there", () => {
  // With versions that no file has, every place differs.
  const entries = Object.keys(kubernetesVersions).map((key) => [key, "9.99.9"]);
  const other = { ...kubernetesVersions, ...Object.fromEntries(entries) };
  const isThere = (site: Site): boolean =>
    files.some((file) => differencesIn(file, other, [site]).length > 0);
  expect(sites.filter((site) => site.text.includes("{") && !isThere(site))).toEqual([]);
});
