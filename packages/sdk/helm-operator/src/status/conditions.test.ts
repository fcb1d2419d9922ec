import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import {
  type HelmCondition,
  type HelmStatus,
  removeHelmConditions,
  setDeployedRelease,
  setHelmConditions,
} from "./conditions.ts";

const deployed: HelmCondition = {
  ...{ type: "Deployed", status: "True", reason: "InstallSuccessful", message: "NOTES" },
};

test("keeps a condition's time until its status changes, whatever else changes", async () => {
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const first = setHelmConditions<HelmStatus>(undefined, [deployed], { generation: 1, clock });
  await clock.advance(60_000);
  const upgraded = { ...deployed, reason: "UpgradeSuccessful", message: "new notes" } as const;
  const second = setHelmConditions(first, [upgraded], { generation: 2, clock });
  expect(second.conditions).toEqual([
    { ...upgraded, observedGeneration: 2, lastTransitionTime: "2026-01-01T00:00:00Z" },
  ]);
  const failed = { ...deployed, status: "False", reason: "UpgradeError" } as const;
  const third = setHelmConditions(second, [failed], { generation: 2, clock });
  expect(third.conditions?.[0]?.lastTransitionTime).toBe("2026-01-01T00:01:00Z");
});

test("returns the same object when nothing changes, even after a minute", async () => {
  const clock = createFakeClock();
  const conditions: HelmCondition[] = [
    { type: "Initialized", status: "True", reason: "InitializationSuccessful" },
    deployed,
  ];
  const status = setHelmConditions<HelmStatus>({}, conditions, { generation: 3, clock });
  await clock.advance(60_000);
  expect(setHelmConditions(status, conditions, { generation: 3, clock })).toBe(status);
  expect(setHelmConditions(status, [], { clock })).toBe(status);
  expect(removeHelmConditions(status, ["Paused"])).toBe(status);
  const empty: HelmStatus = {};
  expect(removeHelmConditions(empty, ["Paused"])).toBe(empty);
  expect(setDeployedRelease(status, undefined)).toBe(status);
});

test("keeps other conditions and fields, and does not change its arguments", () => {
  const foreign = {
    ...{ type: "Ready", status: "True" as const, reason: "R", message: "" },
    lastTransitionTime: "2020-01-01T00:00:00Z",
  };
  const status = Object.freeze({ nodes: 3, conditions: Object.freeze([foreign]) });
  const now = setHelmConditions(status, [deployed], { generation: 1 });
  expect(now.nodes).toBe(3);
  expect(now.conditions.map(({ type }) => type)).toEqual(["Ready", "Deployed"]);
  expect(removeHelmConditions(now, ["Deployed"]).conditions).toEqual([foreign]);
});

test("cuts a message to the length that the API allows", () => {
  const message = "é".repeat(40_000);
  const { conditions } = setHelmConditions<HelmStatus>({}, [{ ...deployed, message }], { generation: 1 });
  expect(conditions?.[0]?.message).toHaveLength(32_768);
  expect(conditions?.[0]?.message).toMatch(/… \(cut\)$/);
});

test("sets, replaces and removes the deployed release", () => {
  const release = { name: "a", manifest: "m" };
  const status = setDeployedRelease<HelmStatus>({ conditions: [] }, release);
  expect(status).toEqual({ conditions: [], deployedRelease: release });
  expect(setDeployedRelease(status, { ...release })).toBe(status);
  expect(setDeployedRelease(status, { name: "a", manifest: "n" }).deployedRelease?.manifest).toBe("n");
  expect(setDeployedRelease(status, undefined)).toEqual({ conditions: [] });
});
