import fc from "fast-check";
import { expect, it } from "vitest";
import { type Release, releaseStatuses } from "./release.ts";
import { type ReleaseState, releaseState } from "./release-state.ts";
import { revision } from "./testing/releases.ts";

const summary = (state: ReleaseState) => ({
  ...state,
  ...("release" in state && { release: state.release.revision }),
  ...("lastDeployed" in state && { lastDeployed: state.lastDeployed?.revision }),
  ...("previous" in state && { previous: state.previous?.revision }),
  ...("uninstalled" in state && { uninstalled: state.uninstalled?.revision }),
});

it.each([
  ["", { kind: "absent" }],
  ["deployed", { kind: "deployed", release: 1 }],
  ["superseded deployed", { kind: "deployed", release: 2 }],
  ["pending-install", { kind: "pending", operation: "install", release: 1 }],
  [
    "deployed pending-upgrade",
    { kind: "pending", operation: "upgrade", release: 2, lastDeployed: 1, previous: 1 },
  ],
  [
    "superseded failed pending-upgrade",
    { kind: "pending", operation: "upgrade", release: 3, lastDeployed: 1, previous: 2 },
  ],
  ["failed pending-upgrade", { kind: "pending", operation: "upgrade", release: 2, previous: 1 }],
  [
    "deployed superseded pending-rollback",
    { kind: "pending", operation: "rollback", release: 3, lastDeployed: 1, previous: 2 },
  ],
  ["failed", { kind: "failed", release: 1 }],
  ["superseded deployed failed failed", { kind: "failed", release: 4, lastDeployed: 2 }],
  ["superseded superseded", { kind: "failed", release: 2, lastDeployed: 1 }],
  ["unknown", { kind: "failed", release: 1 }],
  ["superseded uninstalling", { kind: "uninstalling", release: 2 }],
  ["superseded uninstalled", { kind: "absent", uninstalled: 2 }],
] as const)("reads the history %j as %j", (statuses, state) => {
  const words = statuses.split(" ").filter((word) => word !== "") as Release["status"][];
  const history = words.map((status, index) => revision(index + 1, status));
  expect(summary(releaseState(history.at(-1), history.slice(0, -1)))).toEqual(state);
});

const histories = fc
  .uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 12 })
  .chain((numbers) =>
    fc.tuple(...numbers.map((n) => fc.constantFrom(...releaseStatuses).map((status) => revision(n, status)))),
  );

it("is that of the newest revision in any history, and names at most one older revision to go back to", () => {
  fc.assert(
    fc.property(histories, (history: Release[]) => {
      const newest = history.toSorted((one, other) => other.revision - one.revision)[0];
      const state = releaseState(
        newest,
        history.filter((each) => each !== newest),
      );
      expect(
        "release" in state ? state.release : "uninstalled" in state ? state.uninstalled : undefined,
      ).toBe(newest);
      expect(state.kind === "deployed").toBe(newest?.status === "deployed");
      if (!("lastDeployed" in state) || !state.lastDeployed) return;
      const { revision, status } = state.lastDeployed;
      expect(revision).toBeLessThan(newest?.revision ?? 0);
      const newerDeployed = history.filter((each) => each.status === "deployed" && each.revision > revision);
      expect([status, newerDeployed.length]).toEqual([status === "deployed" ? "deployed" : "superseded", 0]);
    }),
  );
});
