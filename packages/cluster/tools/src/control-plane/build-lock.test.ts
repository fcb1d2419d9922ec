import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { identityOf } from "../process-identity.ts";
import { withBuildLock } from "./build-lock.ts";

let tools: string;
beforeEach(() => {
  tools = mkdtempSync(join(tmpdir(), "tools-"));
});
afterEach(() => rmSync(tools, { recursive: true, force: true }));

const log = () => {};

it.each([
  ["nothing", ""],
  ["a partial record", '{"pid": 1'],
  ["only a pid", String(process.pid)],
  ["a process that has ended", '{"pid": 4194304, "identity": "x"}'],
  ["a pid that now belongs to another process", JSON.stringify({ pid: process.pid, identity: "earlier" })],
])("takes over a lock that contains %s, and leaves nothing behind", async (_what, text) => {
  writeFileSync(join(tools, ".etcd.building"), text);
  expect(await withBuildLock(tools, "etcd", log, async () => "built")).toBe("built");
  expect(readdirSync(tools)).toEqual([]);
});

it("allows one build at a time, and logs once which process it waits for", async () => {
  const lines: string[] = [];
  let building = 0;
  let most = 0;
  const build = () =>
    withBuildLock(
      tools,
      "etcd",
      (line) => lines.push(line),
      async () => {
        building++;
        most = Math.max(most, building);
        // Long enough for several checks of the lock.
        await new Promise((resolve) => setTimeout(resolve, 350));
        building--;
      },
    );
  await Promise.all([build(), build()]);
  expect(most).toBe(1);
  expect(lines).toEqual([`etcd: waiting for process ${process.pid}, which is building it`]);
  expect(readdirSync(tools)).toEqual([]);
});

it("releases the lock when the work fails", async () => {
  await expect(
    withBuildLock(tools, "etcd", log, () => Promise.reject(new Error("no compiler"))),
  ).rejects.toThrow("no compiler");
  expect(readdirSync(tools)).toEqual([]);
  expect(await identityOf(process.pid)).toBeTruthy();
});
