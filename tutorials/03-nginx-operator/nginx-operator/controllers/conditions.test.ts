import type { Condition } from "@operator-path/client";
import { expect, test } from "vitest";
import type { OvhNginx } from "../api/v1/ovhnginx.types.ts";
import { conditionsFor } from "./conditions.ts";
import { sample } from "./sample.ts";

const longAgo = "2022-10-28T09:00:00Z";

/** Returns the sample of two replicas, with conditions in its status. */
function sampleWith(...conditions: Condition[]): OvhNginx {
  const ovhNginx = sample({ replicaCount: 2 });
  ovhNginx.metadata = { ...ovhNginx.metadata, generation: 7 };
  return { ...ovhNginx, status: { readyReplicas: 0, conditions } };
}

function available(status: "True" | "False"): Condition {
  return { type: "Available", status, reason: "Before", message: "", lastTransitionTime: longAgo };
}

test("an OvhNginx is available if all of its Pods are ready", () => {
  const statusOf = (ready: number) =>
    conditionsFor(sampleWith(), ready).find(({ type }) => type === "Available")?.status;
  expect([0, 1, 2, 3].map(statusOf)).toEqual(["False", "False", "True", "True"]);
});

test("the condition has a reason for programs, and says which spec it is about", () => {
  for (const ready of [0, 2]) {
    const [condition] = conditionsFor(sampleWith(), ready);
    // The API server rejects other reasons.
    expect(condition?.reason).toMatch(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/);
    expect(condition?.message).toContain(`${ready} of 2`);
    expect(condition?.observedGeneration).toBe(7);
  }
});

test("the transition time changes with the status of the condition, and only then", () => {
  const timeOf = (before: "True" | "False", ready: number) =>
    conditionsFor(sampleWith(available(before)), ready)[0]?.lastTransitionTime;
  expect([timeOf("True", 2), timeOf("False", 1)]).toEqual([longAgo, longAgo]);
  for (const time of [timeOf("False", 2), timeOf("True", 1)]) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
    expect(time).not.toBe(longAgo);
  }
});

test("conditions of other controllers stay", () => {
  const other = { ...available("True"), type: "Scanned" };
  expect(conditionsFor(sampleWith(other), 2)).toContainEqual(other);
});
