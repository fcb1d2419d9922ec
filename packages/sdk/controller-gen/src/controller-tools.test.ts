import { expect, test } from "vitest";
import { allMarkers } from "./markers/all-markers.ts";
import { expectedFiles, generatedFiles, testCases } from "./testing/cases.ts";
import { differingMarkers, recordedGoMarkers } from "./testing/go-markers.ts";

// scripts/compare-with-go.ts runs the Go tool again and records its output.
test.each(testCases())(
  "$name: generates the same files from TypeScript types as Go does from Go types",
  ({ name, args }) => {
    const { files, problems } = generatedFiles(name, args);
    expect(problems).toEqual([]);
    const expected = expectedFiles(name);
    expect([...files.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [file, text] of expected) expect(files.get(file), file).toBe(text);
  },
);

test("compares more than 15 folders of types", () => {
  expect(testCases().length).toBeGreaterThan(15);
});

test("knows every marker of Go's controller-gen for CRDs, roles and webhooks, with its places and arguments", () => {
  const markers = recordedGoMarkers();
  expect(markers.length).toBeGreaterThan(130);
  expect(differingMarkers(markers)).toEqual([]);
});

test("knows only markers of Go's controller-gen", () => {
  const known = new Set(recordedGoMarkers().map(([name]) => name));
  expect(allMarkers.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});
