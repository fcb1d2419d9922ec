#!/usr/bin/env node
import { runBin } from "@operator-path/client/run-bin";

await runBin(import.meta.url, async () => {
  const { runOperatorDev } = await import("@operator-path/controller-runtime/dev");
  process.exitCode = await runOperatorDev(process.argv.slice(2));
});
