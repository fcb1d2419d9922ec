import { createFakeClock } from "@operator-path/client/testing";
import type { ClusterFaults, FaultEvent } from "@operator-path/cluster";
import { expect, test, vi } from "vitest";
import type { FaultTarget } from "./fault.ts";
import { linesOf, type Refusal, refuseWrites } from "./refuse-writes.ts";

const refusal = (at: number, type: Refusal["type"] = "refused"): Refusal => ({
  ...{ at, type, client: "shop", verb: "patch", group: "apps", resource: "deployments" },
  ...{ namespace: "shop", name: "web" },
});

test("shows the pauses between the attempts, and says that they grow only if they do", () => {
  const [growing] = linesOf([0, 5, 15, 35, 2535].map((at) => refusal(at)));
  expect(growing).toBe(
    "patch deployments.apps (shop/web): refused 5 times. Pauses: 5 ms, 10 ms, 20 ms, 2.5 s. " +
      "They grow: the work queue backs off after each failure.",
  );
  const [steady] = linesOf([0, 1000, 2000, 3000].map((at) => refusal(at)));
  expect(steady).toBe("patch deployments.apps (shop/web): refused 4 times. Pauses: 1.0 s, 1.0 s, 1.0 s.");
  const [mixed] = linesOf([0, 3100, 3160, 3200, 3300, 3500].map((at) => refusal(at)));
  expect(mixed).toMatch(/Pauses: 3\.1 s, 60 ms, 40 ms, 100 ms, 200 ms\.$/);
});

test("says when the write was accepted", () => {
  expect(linesOf([refusal(0), refusal(40, "accepted")])).toEqual([
    "patch deployments.apps (shop/web): refused once.",
    "patch deployments.apps (shop/web): accepted, 40 ms after the last refusal.",
  ]);
});

test("allows the writes again 30 s after the first refusal", async () => {
  const clock = createFakeClock();
  const listeners = new Set<(event: FaultEvent) => void>();
  const faults = {
    ...{
      watches: vi.fn(),
      breakWatches: vi.fn(),
      writes: vi.fn(),
      refuse: vi.fn(),
      allow: vi.fn(async () => {}),
    },
    subscribe(listener: (event: FaultEvent) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } satisfies Record<keyof ClusterFaults, unknown>;
  const over = vi.fn();
  const { signal } = new AbortController();
  const target = { faults: faults as ClusterFaults, access: undefined, clock, signal, show() {}, over };
  await refuseWrites(target as unknown as FaultTarget);
  await clock.advance(100_000);
  expect(faults.allow).not.toHaveBeenCalled();
  for (const listener of listeners) listener(refusal(clock.now()));
  await clock.advance(29_999);
  expect(faults.allow).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(faults.allow).toHaveBeenCalledOnce();
  expect(over).toHaveBeenCalledOnce();
});
