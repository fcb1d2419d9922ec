import { expect, it } from "vitest";
import { recovery } from "./recovery.ts";
import type { Release } from "./release.ts";
import { releaseState } from "./release-state.ts";
import { revision } from "./testing/releases.ts";

const begun = Date.parse("2026-11-22T07:00:00Z");
const at = { lastDeployed: "2026-11-22T08:00:00.000000001+01:00" };
const after = (milliseconds: number, ...history: Release[]) =>
  recovery(releaseState(history.at(-1), history.slice(0, -1)), {
    now: begun + milliseconds,
    patience: 60_000,
  });

it("needs no recovery unless the release is pending", () => {
  for (const status of ["deployed", "failed", "superseded", "uninstalled"] as const) {
    expect(after(1e9, revision(1, status, at))).toEqual({ kind: "none" });
  }
  expect(after(1e9)).toEqual({ kind: "none" });
});

it("waits while another helm may be working", () => {
  for (const status of ["pending-install", "pending-upgrade", "pending-rollback", "uninstalling"] as const) {
    const history = [revision(1, "deployed"), revision(2, status, at)];
    expect(after(0, ...history)).toEqual({ kind: "wait", milliseconds: 60_000 });
    expect(after(59_999, ...history)).toEqual({ kind: "wait", milliseconds: 1 });
    expect(after(60_000, ...history).kind).not.toBe("wait");
  }
});

it.each([
  ["an unfinished install", "uninstall", [revision(1, "pending-install", at)]],
  [
    "an upgrade when no revision was ever deployed",
    "rollback 1",
    [revision(1, "failed"), revision(2, "pending-upgrade", at)],
  ],
  ["an upgrade without older revisions", "uninstall", [revision(2, "pending-upgrade", at)]],
  ["an unfinished uninstall", "uninstall", [revision(1, "superseded"), revision(2, "uninstalling", at)]],
  [
    "an upgrade",
    "rollback 1",
    [revision(1, "deployed"), revision(2, "failed"), revision(3, "pending-upgrade", at)],
  ],
  [
    "an upgrade whose end helm was about to record",
    "rollback 2",
    [revision(1, "superseded"), revision(2, "superseded"), revision(3, "pending-upgrade", at)],
  ],
  [
    "a rollback",
    "rollback 2",
    [revision(1, "superseded"), revision(2, "deployed"), revision(3, "pending-rollback", at)],
  ],
])("recovers from %s by %s", (_, way, history) => {
  const found = after(60_000, ...history);
  expect(found.kind === "rollback" ? `rollback ${found.revision}` : found.kind).toBe(way);
});

it("does not wait endlessly for a time that is far ahead or unreadable", () => {
  const pending = (lastDeployed: string) => revision(1, "pending-install", { lastDeployed });
  expect(after(0, pending("2036-01-01T00:00:00Z"))).toEqual({ kind: "uninstall" });
  expect(after(0, pending("2026-11-22T07:00:30Z"))).toEqual({ kind: "wait", milliseconds: 60_000 });
  expect(after(0, pending("yesterday"))).toEqual({ kind: "uninstall" });
  expect(after(0, revision(1, "pending-install"))).toEqual({ kind: "uninstall" });
});

it("counts an uninstall from its own start, not from the deployment", () => {
  const uninstalling = revision(1, "uninstalling", { ...at, deleted: "2026-11-22T09:00:00Z" });
  expect(after(2 * 3_600_000 + 1_000, uninstalling)).toEqual({ kind: "wait", milliseconds: 59_000 });
});
