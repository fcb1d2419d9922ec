import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Repository } from "./house/link-rules.ts";
import { checkRecipe } from "./house/recipe-rules.ts";

const root = join(import.meta.dirname, "..");

test("code in recipes is quoted from files that are compiled and tested", () => {
  const files = globSync(["docs/recipes/*.md", "packages/proof/recipes/**/*.{ts,js,yaml}"], {
    cwd: root,
    exclude: (name) => name.split("/").includes("node_modules"),
  });
  const repository: Repository = {
    files: new Set(files),
    read: (file) => readFileSync(join(root, file), "utf8"),
  };
  const recipes = files.filter((file) => file.startsWith("docs/") && !file.endsWith("README.md"));
  expect(recipes.flatMap((file) => checkRecipe(file, repository))).toEqual([]);
});

test("accepts an indented part of the linked file", () => {
  expect(
    check("[a.ts](../../src/a.ts)\n\n```ts\nif (x) {\n  y();\n\n}\n```\n", {
      "src/a.ts": "f() {\n  if (x) {\n    y();\n\n  }\n}\n",
      "src/a.test.ts": "",
    }),
  ).toEqual([]);
});

test("rejects code that differs, without a link, from a missing file or without a test", () => {
  const text = [
    "[a.ts](../../src/a.ts)\n\n```ts\nx();\nz();\n```\n",
    "Words.\n\n```ts\nx();\n```\n",
    "[b.ts](../../src/b.ts)\n\n```ts\nx();\n```\n",
    "```text\nno code\n```\n",
  ].join("\n");
  expect(check(text, { "src/a.ts": "x();\ny();\nz();\n" })).toEqual([
    "docs/recipes/r.md:3 differs from src/a.ts",
    "docs/recipes/r.md:10 has no link to its source above it",
    "docs/recipes/r.md:16 quotes src/b.ts, which does not exist",
    "docs/recipes/r.md quotes no TypeScript file with a test beside it",
  ]);
});

function check(recipe: string, sources: Readonly<Record<string, string>>): string[] {
  const texts = new Map([["docs/recipes/r.md", recipe], ...Object.entries(sources)]);
  return checkRecipe("docs/recipes/r.md", {
    files: new Set(texts.keys()),
    read: (file) => texts.get(file) ?? "",
  });
}
