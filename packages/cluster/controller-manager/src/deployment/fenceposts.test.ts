import { expect, test } from "vitest";
import { fenceposts } from "./fenceposts.ts";
import { deploymentOf } from "./testing.ts";

// client-go's own table: pkg/controller/deployment/util, TestResolveFenceposts.
test.each([
  ["0%", "0%", 0, 0, 0],
  ["39%", "39%", 10, 4, 3],
  ["50%", "50%", 10, 5, 5],
  ["100%", "100%", 10, 10, 10],
  [1, "25%", 1, 1, 0],
  ["0%", "1%", 2, 0, 1],
  ["25%", "25%", 1, 1, 0],
  [0, 5, 3, 0, 3],
])(
  "surge %s, unavailable %s of %i replicas: %i above, %i below",
  (maxSurge, maxUnavailable, replicas, above, below) => {
    const deployment = deploymentOf(replicas, { maxSurge, maxUnavailable });
    expect(fenceposts(deployment)).toEqual({ maxSurge: above, maxUnavailable: below });
  },
);

test("Recreate has no limits to resolve", () => {
  expect(fenceposts(deploymentOf(3, { type: "Recreate" }))).toEqual({ maxSurge: 0, maxUnavailable: 0 });
});
