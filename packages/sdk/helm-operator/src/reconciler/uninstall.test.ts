import { expect, test } from "vitest";
import { conditionsOf, longTimeout, messageOf, patiently, startHelmBench } from "./testing/bench.ts";

test(
  "keeps an object while its release exists, even when helm succeeds",
  async () => {
    const bench = await startHelmBench();
    let able = false;
    const { processes } = await bench.operator({
      retryDelays: { base: 86_400_000, max: 86_400_000 },
      // With --ignore-not-found, a helm that could not read the release ends like one that found none.
      around: (helm) => ({ ...helm, uninstall: async (key) => (able ? helm.uninstall(key) : undefined) }),
    });
    await bench.create("shop");
    await patiently(async () => expect(conditionsOf(await bench.get("shop"))).toContain("Deployed=True"));
    await bench.remove("shop");
    await patiently(async () =>
      expect(messageOf(await bench.get("shop"), "ReleaseFailed")).toBe(
        "helm uninstall of shop succeeded, but the release still exists",
      ),
    );
    expect((await bench.get("shop")).metadata?.finalizers).toEqual(["uninstall-helm-release"]);
    expect(await bench.history("shop")).toHaveLength(1);

    able = true;
    await bench.annotate("shop", { "helm.sdk.operatorframework.io/uninstall-description": "again" });
    await patiently(() => expect(bench.get("shop")).rejects.toThrow("not found"));
    expect(await bench.history("shop")).toEqual([]);
    expect(processes).toEqual(["version", "dry run", "install", "uninstall"]);
  },
  longTimeout,
);
