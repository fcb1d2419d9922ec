import { clusterNeeds } from "@operator-path/kind";
import { expect, test } from "vitest";
import { examine } from "../examine.ts";
import type { Machine } from "../machine.ts";
import { systemOf } from "../system.ts";
import { createStandIn } from "../testing/stand-in.ts";
import { diskProbe } from "./disk.ts";
import { memoryProbe } from "./memory.ts";

const gigabyte = 2 ** 30;

/** Examines memory and disk, with a docker that reports these facts about its machine. */
async function room(info: object, changes: Partial<Machine> = {}, available = 12 * gigabyte) {
  await using standIn = await createStandIn();
  await standIn.program("docker", `echo '${JSON.stringify({ ServerVersion: "29.1.0", ...info })}'`);
  await standIn.file("proc/meminfo", `MemAvailable: ${available / 1024} kB\n`);
  const env = { ...standIn.machine.env, ...changes.env };
  const machine = standIn.as({ ...changes, env });
  const [memory, disk] = await examine(machine, {
    probes: [memoryProbe, diskProbe],
    system: systemOf("debian"),
  });
  return { memory, disk };
}

/** A machine with room, except in the folder of docker's images on Linux. No parent of that folder exists. */
const littleAt = (folder: string): Partial<Machine> => ({
  freeSpace: async (path) => (path === folder ? gigabyte : 100 * gigabyte),
});
const folder = { DockerRootDir: "/var/lib/docker", MemTotal: 16 * gigabyte };

test("checks the folder of an engine on this machine", async () => {
  const { disk } = await room(folder, littleAt("/var/lib/docker"));
  expect(disk).toMatchObject({ state: "weak", found: "1 GB free", neededFor: ["kind"] });
});

test.each<[string, object, Partial<Machine>]>([
  ["on macOS", folder, { platform: "darwin" }],
  ["of Docker Desktop in WSL", { ...folder, OperatingSystem: "Docker Desktop" }, {}],
  ["far away", folder, { env: { DOCKER_HOST: "ssh://a@b" } }],
  ["in a virtual machine", { ...folder, MemTotal: 8 * gigabyte }, {}],
])("ignores the folder of an engine %s", async (_what, info, changes) => {
  const { disk } = await room(info, { ...littleAt("/var/lib/docker"), ...changes });
  expect(disk).toMatchObject({ state: "ok", found: "100 GB free" });
  expect(disk?.details?.[0]).toContain("docker system df");
});

test("does not use the parent of a missing folder", async () => {
  const freeSpace = async (path: string) => {
    if (path.startsWith("/var/lib")) throw Object.assign(new Error("none"), { code: "ENOENT" });
    return path === "/var" ? gigabyte : 100 * gigabyte;
  };
  expect((await room(folder, { freeSpace })).disk).toMatchObject({ state: "ok", found: "100 GB free" });
  // But it uses the parent of an unreadable folder, which exists.
  const closed = async (path: string) => {
    if (path === "/var/lib/docker") throw Object.assign(new Error("closed"), { code: "EACCES" });
    return path === "/var/lib" ? gigabyte : 100 * gigabyte;
  };
  expect((await room(folder, { freeSpace: closed })).disk).toMatchObject({ found: "1 GB free" });
});

test("requires memory for the nodes beside the pages", async () => {
  const enough = 2 * gigabyte + clusterNeeds.memory;
  expect((await room(folder, {}, enough)).memory).toMatchObject({ state: "ok" });
  const { memory } = await room(folder, {}, enough - gigabyte / 2);
  expect(memory).toMatchObject({ state: "weak", neededFor: ["kind"], found: "3.5 GB available" });
  expect(memory?.details?.[0]).toContain("2 GB, in addition to the 2 GB of the pages");
});

test("checks the memory of a virtual machine", async () => {
  // The value that docker reports for a machine of 4 GB.
  const four = { MemTotal: 4_109_000_000 };
  expect((await room(four, {}, 2.5 * gigabyte)).memory).toMatchObject({
    state: "ok",
    found: "2.5 GB available, 3.8 GB for containers",
  });
  expect((await room({ MemTotal: 3 * gigabyte })).memory).toMatchObject({
    state: "weak",
    details: ["The machine that runs the nodes should have 4 GB. With less, a node may not start."],
  });
});
