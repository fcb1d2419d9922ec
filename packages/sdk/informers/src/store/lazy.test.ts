import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ConfigMap } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test } from "vitest";
import { scanObject } from "../wire/object-scan.ts";
import { createLazyPolicy } from "./lazy.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("frees the memory of objects that were read and released", async () => {
  const policy = createLazyPolicy<ConfigMap>({
    ...{ apiVersion: "v1", kind: "ConfigMap", managedFields: false, freeze: true, transform: undefined },
    ...{ clock: createFakeClock(), coldAfter: Number.POSITIVE_INFINITY, onError: expect.fail },
  });
  const pad = "x".repeat(100_000);
  const entryOf = (i: number) => {
    const bytes = Buffer.from(
      JSON.stringify({ metadata: { name: `c${i}`, resourceVersion: "1" }, data: { pad } }),
    );
    return policy.entryOf(bytes, scanObject(bytes, 0, bytes.length));
  };
  const settled = async () => {
    for (let i = 0; i < 5; i++) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return process.memoryUsage().arrayBuffers;
  };
  const before = await settled();
  for (let i = 0; i < 1_000; i++) {
    const entry = entryOf(i);
    expect(entry.object().data?.pad).toBe(pad);
    entry.release();
    // A holder of a released entry can still read it.
    if (i % 100 === 0) expect(entry.object().metadata?.name).toBe(`c${i}`);
  }
  // About a hundred megabytes were stored and released.
  expect((await settled()) - before).toBeLessThan(4 * 1024 * 1024);
});
