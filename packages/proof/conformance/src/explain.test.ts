import { expect, test } from "vitest";
import { unusedPlaces, vaguePlaces } from "./explain.ts";
import type { KnownDifference } from "./known-differences.ts";
import { allScripts } from "./scripts/scripts.ts";

const scripts = allScripts();
const script = "validation: Job";
const request = "5. POST /apis/batch/v1/namespaces/{{ns}}/jobs";
const known = (places: KnownDifference["places"]): KnownDifference[] => [{ reason: "a reason", places }];

test("every known difference names one script, one request and one place", () => {
  expect(vaguePlaces(scripts)).toEqual([]);
});

test.each(["", ".", "status", "body", "body.*", "body[*]", ".*"])(
  "rejects the path %j, which stands for more than one place",
  (path) => {
    expect(vaguePlaces(scripts, known({ [script]: { [request]: [path] } }))).toHaveLength(1);
  },
);

test("rejects a script that does not exist, and a request without its number", () => {
  const path = "body.message";
  expect(vaguePlaces(scripts, known({ "validation: .*": { [request]: [path] } }))).toHaveLength(1);
  expect(vaguePlaces(scripts, known({ [script]: { "POST /api/v1/pods": [path] } }))).toHaveLength(1);
});

test("reports a listed place that no longer differs", () => {
  const entries = known({ [script]: { [request]: ["status 409 instead of 422", "message"] } });
  const difference = {
    ...{ answer: 5, request: request.slice(3), path: "message" },
    ...{ ours: "a", real: "b" },
  };
  const compared = { script: { area: "validation", name: "Job" } as const, explained: [{ difference }] };
  expect(unusedPlaces([compared], entries)).toEqual([`${script}: ${request}: status 409 instead of 422`]);
  expect(unusedPlaces([], entries)).toEqual([]);
  expect(unusedPlaces([compared], [{ ...entries[0], sometimes: true } as KnownDifference])).toEqual([]);
});
