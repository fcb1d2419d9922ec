import { expect, test } from "vitest";
import { longTimeout, patiently, pending, settled, startHelmBench } from "./testing/bench.ts";

test(
  "uninstalls an abandoned install, and installs again",
  async () => {
    const bench = await startHelmBench();
    await bench.storeRelease(pending({}));
    const { processes } = await bench.operator();
    await bench.create("shop");
    await settled(bench, "shop", "1 deployed");
    expect(processes).toEqual(["version", "uninstall", "dry run", "install"]);
    await patiently(async () =>
      expect(await bench.events("shop")).toContainEqual(expect.stringContaining("Recovered")),
    );
  },
  longTimeout,
);
