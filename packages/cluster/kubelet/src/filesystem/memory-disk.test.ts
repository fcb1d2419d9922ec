import { expect, it } from "vitest";
import { MemoryDisk } from "./memory-disk.ts";

it("is full at 256 MiB of current files, however much was written before", async () => {
  const disk = new MemoryDisk({});
  const some = new Uint8Array(60 * 1024 * 1024);
  for (let i = 0; i < 8; i++) await disk.writeFile("/same", some);
  for (const name of ["/1", "/2", "/3"]) await disk.writeFile(name, some);
  await expect(disk.writeFile("/4", some)).rejects.toMatchObject({ code: "ENOSPC" });
  await expect(disk.appendFile("/3", some)).rejects.toMatchObject({ code: "ENOSPC" });
  await disk.rm("/same");
  await disk.appendFile("/3", some);
  expect((await disk.stat("/3")).size).toBe(120 * 1024 * 1024);
});
