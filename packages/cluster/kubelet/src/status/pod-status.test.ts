import { expect, it } from "vitest";
import { createSlot } from "../pod/container-slot.ts";
import { podConditions } from "./pod-status.ts";

const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
const now = Date.parse(at(9));

it("keeps the time of an unchanged condition, even if an older copy of the Pod differs", () => {
  const stale = { status: { conditions: [{ type: "Ready", status: "True", lastTransitionTime: at(1) }] } };
  const previous = [{ type: "Ready", status: "False", lastTransitionTime: at(2) }];
  const slots = [createSlot("regular", { name: "main" })];
  const ready = podConditions(stale, slots, { phase: "Pending", sandbox: true, now, previous }).find(
    ({ type }) => type === "Ready",
  );
  expect(ready).toMatchObject({
    status: "False",
    lastTransitionTime: at(2),
    reason: "ContainersNotReady",
    message: "containers with unready status: [main]",
  });
});

it("sets the time of a changed condition", () => {
  const previous = [{ type: "PodReadyToStartContainers", status: "False", lastTransitionTime: at(2) }];
  const [first] = podConditions({}, [], { phase: "Pending", sandbox: true, now, previous });
  expect(first).toMatchObject({
    type: "PodReadyToStartContainers",
    status: "True",
    lastTransitionTime: at(9),
  });
});
