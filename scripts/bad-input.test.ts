import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { checkFeatures, featureRows } from "./house/feature-rules.ts";

const root = join(import.meta.dirname, "..");
const page = "docs/bad-input.md";

/** The numbers are those of the list of bad input that the project began with. */
const numbers = [
  ...Array.from({ length: 19 }, (_, index) => index + 1),
  ...Array.from({ length: 12 }, (_, index) => index + 21),
];

test("docs/bad-input.md has a row for each case and links each row to tests that run", () => {
  const text = readFileSync(join(root, page), "utf8");
  const rows = featureRows(text);
  const texts = new Map(
    rows
      .flatMap(({ links }) => links.map((href) => posix.join("docs", href)))
      .filter((file) => existsSync(join(root, file)))
      .map((file) => [file, readFileSync(join(root, file), "utf8")]),
  );
  texts.set(page, text);
  const repository = { files: new Set(texts.keys()), read: (file: string) => texts.get(file) ?? "" };
  const names = rows.map(({ feature }) => feature);
  expect(names.map((name) => Number.parseInt(name, 10)).filter((number) => number > 0)).toEqual(numbers);
  expect(checkFeatures(page, names, repository)).toEqual([]);
});
