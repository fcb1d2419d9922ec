import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../../..");
const scrape = `
  import { Registry } from "prom-client";
  import { collectProcessMetrics } from "./process-metrics.ts";
  const registry = new Registry();
  collectProcessMetrics(registry);
  console.log(await registry.metrics());
`;

test.each([
  ["with /proc", []],
  ["without the permission to read /proc", ["--permission", `--allow-fs-read=${root}`]],
])("reports resident memory: %s", (_, flags) => {
  const args = [...flags, "--conditions=@operator-path/source", "--input-type=module", "--eval", scrape];
  const text = execFileSync(process.execPath, args, { encoding: "utf8", cwd: import.meta.dirname });
  expect(Number(/^process_resident_memory_bytes (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(1 << 20);
  expect(text).not.toMatch(/^process_(virtual_memory|heap)_bytes 0$/m);
});
