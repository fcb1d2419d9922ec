import type { Pod } from "@operator-path/client";
import { expect, test } from "vitest";
import { slowStart } from "./pod-control.ts";
import { chooseVictims } from "./pods.ts";

const now = Date.parse("2026-01-01T12:00:00Z");
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

function pod(
  name: string,
  options: { ready?: number; node?: string; phase?: string; cost?: string; age?: number } = {},
): Pod {
  const { ready, node = "node-1", phase = "Running", cost, age = 3600 } = options;
  return {
    metadata: {
      name,
      uid: name,
      creationTimestamp: ago(age),
      ...(cost && { annotations: { "controller.kubernetes.io/pod-deletion-cost": cost } }),
    },
    spec: { containers: [], ...(node && { nodeName: node }) },
    status: {
      phase,
      conditions:
        ready === undefined ? [] : [{ type: "Ready", status: "True", lastTransitionTime: ago(ready) }],
    },
  };
}

const names = (pods: Pod[]) => pods.map(({ metadata }) => metadata?.name);

test("Pods that serve no traffic go first: unassigned, pending, not ready", () => {
  const pods = [
    pod("ready", { ready: 60 }),
    pod("not-ready"),
    pod("pending", { phase: "Pending" }),
    pod("unassigned", { node: "", phase: "Pending" }),
  ];
  expect(names(chooseVictims(pods, pods, 3, now))).toEqual(["unassigned", "pending", "not-ready"]);
});

test("of ready Pods the cheapest goes first, then one on the fullest node, then the youngest", () => {
  const costly = pod("costly", { ready: 10, cost: "100" });
  const crowded = [pod("crowded-1", { ready: 3000 }), pod("crowded-2", { ready: 3000 })];
  const alone = pod("alone", { ready: 10, node: "node-2" });
  const all = [costly, alone, ...crowded];
  expect(names(chooseVictims(all, crowded.concat(alone), 3, now))).toEqual([
    "crowded-1",
    "crowded-2",
    "alone",
  ]);
  const [old, young] = [pod("old", { ready: 3000 }), pod("young", { ready: 30 })];
  expect(names(chooseVictims([old, young], [], 1, now))).toEqual(["young"]);
});

test("calls once, not a thousand times, if the first call fails", async () => {
  let calls = 0;
  const refused = new Error("exceeded quota");
  const result = await slowStart(1000, async () => {
    calls++;
    throw refused;
  });
  expect(result).toEqual({ succeeded: 0, error: refused });
  expect(calls).toBe(1);
});

test("creates everything if nothing fails, and counts the creations before a failure", async () => {
  expect(await slowStart(10, async () => {})).toEqual({ succeeded: 10 });
  let calls = 0;
  const { succeeded } = await slowStart(10, async () => {
    if (++calls > 5) throw new Error("full");
  });
  expect(succeeded).toBe(5);
});
