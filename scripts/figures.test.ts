import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clusterNeeds, inGigabytes, reachEngine } from "@operator-path/kind";
import { expect, test } from "vitest";

/** What a page tells by hand, and programs tell from one place, is the same. */
const page = readFileSync(join(import.meta.dirname, "../docs/kind.md"), "utf8");

test("docs/kind.md says what a cluster takes as the doctor and the errors do", () => {
  const { download, disk, memory, virtualMachine } = clusterNeeds;
  expect(page).toContain(`some ${inGigabytes(download)} to download`);
  expect(page).toContain(`some ${inGigabytes(disk)} of disk and ${inGigabytes(memory)} of free memory`);
  expect(page.replaceAll("\n  ", " ")).toContain(`that should have ${inGigabytes(virtualMachine)} of memory`);
});

test.each(["linux", "wsl", "macos"] as const)("docs/kind.md starts docker on %s as they do", (on) => {
  const down = { engine: "docker", on, says: "", env: {} } as const;
  const { commands } = reachEngine({ ...down, denied: false });
  expect(page).toContain(`\`${commands[0]}\``);
  if (on === "macos") return;
  expect(page).toContain(`\`${reachEngine({ ...down, denied: true }).commands[0]}\``);
});
