import { createLogger } from "@operator-path/controller-runtime";
import { expect, test } from "vitest";
import { recovery } from "../release/recovery.ts";
import { releaseState } from "../release/release-state.ts";
import { revision } from "../release/testing/releases.ts";
import type { HookOperation } from "./hooks.ts";
import { type HelmControllerOptions, helmSettings } from "./options.ts";
import { conditionsOf, longTimeout, patiently, startHelmBench, webs } from "./testing/bench.ts";

test(
  "runs hooks before and after each operation, including uninstall, and ignores their errors",
  async () => {
    const bench = await startHelmBench();
    const seen: string[] = [];
    const { log } = await bench.operator({
      preHooks: [
        (object, values, { operation }) =>
          void seen.push(`${operation} ${object.metadata?.name} ${values?.colour}`),
        () => Promise.reject(new Error("a hook that fails")),
      ],
      postHooks: [(_, release, { operation }) => void seen.push(`${operation} done ${release?.revision}`)],
    });
    await bench.create("shop", { replicas: 1 });
    await patiently(() => expect(seen).toContain("install done 1"));
    await bench.change("shop", { colour: "blue" });
    await patiently(() => expect(seen).toContain("upgrade done 2"));
    await bench.remove("shop");
    await patiently(() => expect(seen).toContain("uninstall done undefined"));

    const only = (operation: HookOperation) => seen.filter((line) => line.startsWith(operation));
    // From the chart's defaults, then from the object.
    expect(only("install")).toEqual(["install shop red", "install done 1"]);
    expect(only("upgrade")).toEqual(["upgrade shop blue", "upgrade done 2"]);
    expect(only("uninstall")).toEqual(["uninstall shop blue", "uninstall done undefined"]);
    expect(log.filter(({ msg }) => msg === "A hook failed").length).toBeGreaterThanOrEqual(3);
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
  },
  longTimeout,
);

test("waits longer for a manual helm than helm's own timeout", () => {
  const { pendingPatience } = helmSettings({ resource: webs, chart: {}, helm: {} } as HelmControllerOptions);
  expect(pendingPatience).toBeGreaterThan(5 * 60_000);
  const begun = Date.parse("2026-11-22T07:00:00Z");
  const pending = revision(2, "pending-upgrade", { lastDeployed: "2026-11-22T07:00:00Z" });
  expect(recovery(releaseState(pending), { now: begun })).toEqual({
    kind: "wait",
    milliseconds: pendingPatience,
  });
});

test.each<[Partial<HelmControllerOptions>, string]>([
  [{ maxReleaseHistory: 1 }, "from 2"],
  [{ maxReleaseHistory: 2.5 }, "whole number"],
  [{ reconcilePeriod: -1 }, "reconcilePeriod is -1"],
  [{ waitForDeletionTimeout: Number.NaN }, "waitForDeletionTimeout is NaN"],
  [{ resource: { ...webs, namespaced: false } }, "scope: Namespaced"],
])("names the invalid option: %j", (options, message) => {
  const given = { resource: webs, chart: {}, helm: {}, ...options } as HelmControllerOptions;
  expect(() => helmSettings(given)).toThrow(message);
});

test(
  "shows during an install that the object was seen, and a logger from the options names the object",
  async () => {
    const bench = await startHelmBench();
    const lines: Record<string, unknown>[] = [];
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    await bench.operator({
      log: createLogger({
        format: "json",
        destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
      }).child({ team: "shops" }),
      around: (helm) => ({
        ...helm,
        async install(...args) {
          await goOn;
          return helm.install(...args);
        },
      }),
    });
    await bench.create("shop");
    await patiently(async () =>
      expect(conditionsOf(await bench.get("shop"))).toEqual(["Deployed=False", "Initialized=True"]),
    );
    resolve();
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...{ msg: "Release installed", team: "shops", namespace: "default", name: "shop" },
        reconcileID: expect.any(String),
      }),
    );
  },
  longTimeout,
);
