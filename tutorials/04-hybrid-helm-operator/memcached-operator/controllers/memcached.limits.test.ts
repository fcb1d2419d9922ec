import { expect, test } from "vitest";
import { atMostFive } from "./memcached.limits.ts";

test("a release has at most five replicas", () => {
  expect(atMostFive({ replicaCount: 9 })).toEqual({ replicaCount: 5 });
  expect(atMostFive({ replicaCount: 5 })).toEqual({ replicaCount: 5 });
  // In the rendered YAML, both are the number 9.
  for (const text of ["9", "9 # of them"])
    expect(atMostFive({ replicaCount: text })).toEqual({ replicaCount: 5 });
});

test("fewer replicas and all other values stay", () => {
  const values = { replicaCount: 2, image: { tag: "1.6.39" }, podLabels: { tier: "cache" } };
  expect(atMostFive(structuredClone(values))).toEqual(values);
  expect(atMostFive({ ...values, replicaCount: 6 })).toEqual({ ...values, replicaCount: 5 });
});

test("without a number of replicas, the chart decides", () => {
  expect(atMostFive({})).toEqual({});
  expect(atMostFive({ service: { type: "ClusterIP" } })).toEqual({ service: { type: "ClusterIP" } });
});
