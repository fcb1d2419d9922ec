// The size of a release, compared with what a real helm stores.
import { createCipheriv } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { secrets } from "@operator-path/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Helm } from "../helm/helm.ts";
import { type HelmBench, namespace, startHelmBench } from "../helm/testing/bench.ts";
import { largestRelease, releaseSize } from "./release-size.ts";

let bench: HelmBench;
let helm: Helm;
beforeAll(async () => {
  bench = await startHelmBench();
  helm = bench.helm();
});
afterAll(() => bench.stop());

/** Bytes that do not compress, the same each time. */
const noise = (length: number) =>
  createCipheriv("aes-256-ctr", Buffer.alloc(32), Buffer.alloc(16)).update(Buffer.alloc(length));

/** A chart of 1.5 MB. The given number of bytes does not compress. */
async function chartOf(name: string, incompressible: number) {
  const lines = Array.from({ length: 40_000 }, (_, line) => `# ${line}: nothing to see here, go on`).join(
    "\n",
  );
  const chart = await bench.chart(name, {
    "templates/web.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n",
    "files/words.txt": lines.slice(0, 1_500_000 - incompressible),
    "files/noise.bin": noise(incompressible),
  });
  return { name, namespace, chart, values: {} };
}

it("estimates what helm stores of a chart of 1.5 MB, at most three hundredths too high", async () => {
  const request = await chartOf("fits", 600_000);
  await helm.dryRun(request);
  await helm.install(request);
  const api = bench.cluster.client.resource(secrets).namespace(namespace);
  const { data } = await api.get("sh.helm.release.v1.fits.v1");
  const stored = Buffer.from(data?.release ?? "", "base64").toString();
  expect(stored.length).toBeGreaterThan(700_000);
  const size = releaseSize(gunzipSync(Buffer.from(stored, "base64")).toString());
  expect(size).toBeGreaterThanOrEqual(stored.length);
  expect(size).toBeLessThan(stored.length * 1.03);
});

it("rejects a release that does not fit a Secret, and writes nothing", async () => {
  const request = await chartOf("large", 900_000);
  const before = await bench.objects();
  for (const server of [true, false]) {
    await expect(helm.dryRun(request, { server })).rejects.toMatchObject({
      name: "ReleaseTooLarge",
      size: expect.toSatisfy((size: number) => size > largestRelease && size < 1.3 * largestRelease),
      message: expect.stringMatching(
        /^release default\/large would take 1\d\d\d KiB \(compressed\), but a Secret holds at most 1024 KiB: exclude unneeded files/,
      ),
    });
  }
  expect(await bench.objects()).toEqual(before);
});
