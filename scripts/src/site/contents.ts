import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wings } from "../../house/packages.ts";
import type { Exemptions, SiteContents } from "./build-site.ts";

/** Returns what this project's site shows: recipes, guides, the sdk wing's packages and `@operator-path/cluster`. */
export function readContents(root: string): SiteContents {
  const recipes = globSync("docs/recipes/*.md", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  // The list of recipes comes before them.
  const index = (file: string) => (file.endsWith("/README.md") ? "" : file);
  return {
    home: "scripts/src/site/home.md",
    pages: {
      Recipes: recipes.toSorted((a, b) => (index(a) < index(b) ? -1 : 1)),
      Guides: [
        "docs/from-go.md",
        "docs/features.md",
        "docs/embedded-cluster.md",
        "docs/local-images.md",
        "docs/which-cluster.md",
        "docs/bad-input.md",
        "docs/architecture.md",
        "docs/packages.md",
        "docs/decisions.md",
      ],
    },
    packages: [...(wings.sdk ?? []).flat().map((name) => `packages/sdk/${name}`), "packages/cluster/cluster"],
    exemptions: JSON.parse(readFileSync(join(import.meta.dirname, "exemptions.json"), "utf8")) as Exemptions,
  };
}
