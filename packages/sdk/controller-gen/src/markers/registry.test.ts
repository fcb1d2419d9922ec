import { expect, test } from "vitest";
import { differingMarkers, recordedGoMarkers } from "../testing/go-markers.ts";
import { allMarkers } from "./registry.ts";

// scripts/compare-with-go.ts asks the Go tool anew, and records.
test("every marker of Go's controller-gen for CRDs, roles and webhooks is known, in its place, with its arguments", () => {
  const markers = recordedGoMarkers();
  expect(markers.length).toBeGreaterThan(130);
  expect(differingMarkers(markers)).toEqual([]);
});

test("there is no marker that Go's does not know", () => {
  const known = new Set(recordedGoMarkers().map(([name]) => name));
  expect(allMarkers.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});
