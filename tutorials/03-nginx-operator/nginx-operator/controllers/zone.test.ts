import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderZone } from "./zone.ts";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "zone-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("a name is a file with its address, and both operations may be repeated", async () => {
  const folder = join(await temporaryFolder(), "new/zone");
  const zone = folderZone(folder);
  await zone.set("sample.test", "192.0.2.1");
  await zone.set("sample.test", "192.0.2.2");
  expect(await readFile(join(folder, "sample.test"), "utf8")).toBe("192.0.2.2\n");
  await zone.remove("sample.test");
  await zone.remove("sample.test");
  expect(await readdir(folder)).toEqual([]);
});

test("a zone that cannot be written rejects", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "sample.test"));
  await expect(folderZone(folder).set("sample.test", "192.0.2.1")).rejects.toThrow("EISDIR");
  const file = join(folder, "file");
  await writeFile(file, "");
  await expect(folderZone(file).set("sample.test", "192.0.2.1")).rejects.toThrow();
  await expect(folderZone(file).remove("sample.test")).rejects.toThrow();
});
