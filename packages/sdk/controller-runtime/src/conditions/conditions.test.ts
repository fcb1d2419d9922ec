import type { Condition, Deployment } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import {
  findStatusCondition,
  isStatusConditionFalse,
  isStatusConditionTrue,
  type NewCondition,
  removeStatusCondition,
  setStatusCondition,
} from "./conditions.ts";

const available: NewCondition = { type: "Available", status: "True", reason: "Ready", message: "3 of 3" };

test("changes lastTransitionTime only with the status", async () => {
  const clock = createFakeClock(Date.UTC(2026, 0, 1, 0, 0, 0, 250));
  const set = (conditions: Condition[] | undefined, condition: NewCondition) =>
    setStatusCondition(conditions, condition, { clock });
  const first = set(undefined, available);
  expect(first).toEqual([{ ...available, lastTransitionTime: "2026-01-01T00:00:00Z" }]);

  await clock.advance(60_000);
  expect(set(first, available)).toBe(first);
  expect(set(first, { ...available, observedGeneration: 2, message: "3 of 4" })).toEqual([
    {
      ...available,
      observedGeneration: 2,
      message: "3 of 4",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    },
  ]);
  const failed = set(first, { ...available, status: "False", reason: "Failed" });
  expect(failed).toEqual([
    { ...available, status: "False", reason: "Failed", lastTransitionTime: "2026-01-01T00:01:00Z" },
  ]);
  expect(first[0]?.status).toBe("True");
  const said = "2020-02-02T02:02:02Z";
  expect(set(failed, { ...available, lastTransitionTime: said })[0]?.lastTransitionTime).toBe(said);
});

test("keeps the order of conditions, and finds and removes them by type", () => {
  const both = setStatusCondition(setStatusCondition(undefined, available), {
    ...{ type: "Degraded", status: "False", reason: "Fine", message: "" },
  });
  const changed = setStatusCondition(Object.freeze(both) as Condition[], { ...available, status: "Unknown" });
  expect(changed.map(({ type, status }) => `${type}=${status}`)).toEqual([
    "Available=Unknown",
    "Degraded=False",
  ]);
  expect([isStatusConditionTrue(both, "Available"), isStatusConditionFalse(both, "Degraded")]).toEqual([
    true,
    true,
  ]);
  expect([isStatusConditionTrue(both, "Ready"), isStatusConditionFalse(both, "Ready")]).toEqual([
    false,
    false,
  ]);
  expect(findStatusCondition(both, "Degraded")?.reason).toBe("Fine");
  expect(removeStatusCondition(both, "Available").map(({ type }) => type)).toEqual(["Degraded"]);
  expect(removeStatusCondition(both, "Ready")).toBe(both);
  expect(removeStatusCondition(undefined, "Ready")).toEqual([]);
});

test("finds conditions of built-in kinds, whatever other fields they have", () => {
  const deployment: Deployment = { status: { conditions: [{ type: "Available", status: "True" }] } };
  const { conditions } = deployment.status ?? {};
  expect(isStatusConditionTrue(conditions, "Available")).toBe(true);
  expect(findStatusCondition(conditions, "Available")?.lastUpdateTime).toBeUndefined();
});
