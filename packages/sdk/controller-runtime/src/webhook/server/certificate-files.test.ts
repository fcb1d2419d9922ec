import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServingCertificate } from "@operator-path/client/certificates";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, onTestFinished, test } from "vitest";
import { recordingLogger, until } from "../testing/webhook-bench.ts";
import { watchCertificateFiles } from "./certificate-files.ts";
import { noMetrics } from "./no-metrics.ts";

test("retries and logs a pair that the server rejects at each check", async () => {
  const folder = await mkdtemp(join(tmpdir(), "certificates-"));
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await rm(folder, { recursive: true });
  });
  const [certificateFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  async function write() {
    const { certificate, privateKey } = createServingCertificate(["127.0.0.1"], Date.now());
    await writeFile(keyFile, privateKey);
    await writeFile(certificateFile, certificate);
    return certificate;
  }
  const first = await write();
  const clock = createFakeClock();
  const { log, lines } = recordingLogger();
  const served: string[] = [];
  let isRefused = false;
  const source = watchCertificateFiles({
    ...{ certificateFile, keyFile, interval: 1_000, log, clock, metrics: noMetrics },
  });
  await source.start(stop.signal, ({ certificate }) => {
    if (isRefused) throw new Error("ee key too small");
    served.push(certificate);
  });
  isRefused = true;
  const second = await write();
  const refusals = () => lines.filter((line) => line.includes("ee key too small")).length;
  for (const count of [1, 2, 3]) {
    await until(async () => {
      await clock.advance(1_000);
      expect(refusals()).toBeGreaterThanOrEqual(count);
    });
  }
  isRefused = false;
  await until(async () => {
    await clock.advance(1_000);
    expect(served).toEqual([first, second]);
  });
});
