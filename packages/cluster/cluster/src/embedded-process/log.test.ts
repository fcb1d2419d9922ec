import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLog } from "./log.ts";

let folder: string;
let path: string;
let fd: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "log-"));
  path = join(folder, "cluster.log");
  fd = openSync(path, "a");
});
afterEach(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true });
});

it("writes each line with its time", () => {
  const log = createLog(fd);
  log("one");
  log("two");
  expect(readFileSync(path, "utf8")).toMatch(/^\d{4}-\S+Z one\n\d{4}-\S+Z two\n$/);
});

it("clears the file when it is too large", () => {
  const log = createLog(fd, 100);
  for (let i = 0; i < 50; i++) log(`line ${i}`);
  const text = readFileSync(path, "utf8");
  expect(text.length).toBeLessThan(200);
  expect(text).toContain("line 49\n");
});

it.runIf(process.platform === "linux")("drops lines while the disk is full", () => {
  const full = openSync("/dev/full", "a");
  try {
    const log = createLog(full);
    expect(() => log("one")).not.toThrow();
  } finally {
    closeSync(full);
  }
});
