import { expect, test } from "vitest";
import { expectedFiles, generatedFiles, testCases } from "./testing/cases.ts";

// scripts/compare-with-go.ts asks the Go tool anew, and records.
test.each(testCases())(
  "$name: what Go makes of the Go types is what ours makes of those in TypeScript",
  ({ name, args }) => {
    const { files, problems } = generatedFiles(name, args);
    expect(problems).toEqual([]);
    const expected = expectedFiles(name);
    expect([...files.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [file, text] of expected) expect(files.get(file), file).toBe(text);
  },
);

test("there are types for it", () => {
  expect(testCases().length).toBeGreaterThan(15);
});
