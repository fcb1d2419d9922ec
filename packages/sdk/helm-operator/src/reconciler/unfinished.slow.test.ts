import { expect, test } from "vitest";
import { HelmError } from "../helm/helm-error.ts";
import type { Release } from "../release/release.ts";
import {
  conditionsOf,
  longTimeout,
  messageOf,
  namespace,
  patiently,
  startHelmBench,
} from "./testing/bench.ts";

const longAgo = "2020-01-01T00:00:00Z";
const killed = (operation: string) => new HelmError({ operation, stderr: "it was killed by SIGKILL" });

test(
  "gives up an upgrade after three interruptions",
  async () => {
    const bench = await startHelmBench();
    let upgrades = 0;
    await bench.operator({
      pendingPatience: 0,
      retryDelays: { base: 10, max: 10 },
      around: (helm) => ({
        ...helm,
        // Leaves behind what a killed upgrade does.
        async upgrade() {
          upgrades++;
          const [newest] = await bench.history("shop");
          const { revision } = newest as Release;
          const pending = {
            revision: revision + 1,
            status: "pending-upgrade",
            lastDeployed: longAgo,
          } as const;
          await bench.storeRelease({ ...(newest as Release), ...pending });
          throw killed("upgrade");
        },
      }),
    });
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    await bench.change("shop", { replicas: 2 });
    await patiently(async () =>
      expect(messageOf(await bench.get("shop"), "ReleaseFailed")).toBe(
        "the upgrade was not finished 3 times; rolled back, and not tried again until values, chart or release change",
      ),
    );
    expect(upgrades).toBe(3);
    expect((await bench.history("shop"))[0]).toMatchObject({ status: "deployed" });
    expect((await bench.deployment("shop")).spec?.replicas).toBe(1);
  },
  longTimeout,
);

test(
  "reports a failed recovery, and does not repeat it at once",
  async () => {
    const bench = await startHelmBench();
    const chart = { name: "web", version: "0.1.0" };
    const common = {
      name: "shop",
      namespace,
      manifest: "",
      hooks: [],
      chart,
      values: {},
      lastDeployed: longAgo,
    };
    await bench.storeRelease({ ...common, revision: 1, status: "deployed" });
    await bench.storeRelease({ ...common, revision: 2, status: "pending-upgrade" });
    let rollbacks = 0;
    await bench.operator({
      retryDelays: { base: 86_400_000, max: 86_400_000 },
      around: (helm) => ({
        ...helm,
        rollback() {
          rollbacks++;
          return Promise.reject(killed("rollback"));
        },
      }),
    });
    await bench.create("shop");
    await patiently(async () =>
      expect(messageOf(await bench.get("shop"), "Irreconcilable")).toContain("SIGKILL"),
    );
    await bench.annotate("shop", { looked: "at" });
    // Behind it in the controller's queue.
    await bench.create("other");
    await patiently(async () => expect(conditionsOf(await bench.get("other"))).toContain("Deployed=True"));
    expect(rollbacks).toBe(1);
  },
  longTimeout,
);
