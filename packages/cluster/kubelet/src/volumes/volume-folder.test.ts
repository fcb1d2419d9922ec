import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { volumeFolder, writeVolume } from "./volume-folder.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "volumes-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

it("lays out files as a kubelet does, and replaces them all at once", () => {
  const volume = { name: "config", readOnly: true, files: { a: "1", "dir/b": "2" } };
  const folder = volumeFolder(parent, volume);
  // The containers may run as several users. Other users of this machine cannot enter the parent folder.
  expect(statSync(folder).mode & 0o777).toBe(0o777);
  expect(volumeFolder(parent, volume)).toBe(folder);
  expect(readlinkSync(join(folder, "a"))).toBe("..data/a");
  expect(readlinkSync(join(folder, "dir"))).toBe("..data/dir");
  expect(readFileSync(join(folder, "dir/b"), "utf8")).toBe("2");
  const before = readlinkSync(join(folder, "..data"));
  writeVolume(folder, { a: "new", c: "3" });
  const after = readlinkSync(join(folder, "..data"));
  expect(after).not.toBe(before);
  expect(readdirSync(folder).sort()).toEqual(["..data", after, "a", "c"].sort());
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("new");
  writeVolume(folder, {});
  expect(readdirSync(folder).filter((name) => !name.startsWith(".."))).toEqual([]);
});

it("creates an empty folder for each emptyDir, also of the same name", () => {
  const folder = volumeFolder(parent, { name: "scratch", files: {} });
  expect(readdirSync(folder)).toEqual([]);
  expect(volumeFolder(parent, { name: "scratch", files: {} })).not.toBe(folder);
});
