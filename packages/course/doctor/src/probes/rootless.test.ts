import { expect, test } from "vitest";
import { examine } from "../examine.ts";
import { systemOf } from "../system.ts";
import { createStandIn } from "../testing/stand-in.ts";
import { rootlessProbe } from "./rootless.ts";

async function look(name: string, info: object, family: "debian" | "macos" = "debian") {
  await using standIn = await createStandIn();
  await standIn.program(name, `echo '${JSON.stringify(info)}'`);
  return await examine(standIn.machine, { probes: [rootlessProbe], system: systemOf(family) });
}

const docker = {
  ServerVersion: "29.1.0",
  SecurityOptions: ["name=seccomp,profile=builtin", "name=rootless", "name=cgroupns"],
  ...{ CgroupVersion: "2", CgroupDriver: "systemd", MemoryLimit: true, PidsLimit: true, CPUShares: true },
};
const podman = {
  version: { Version: "5.6.2" },
  host: { cgroupVersion: "v2", cgroupControllers: ["cpu", "memory", "pids"], security: { rootless: true } },
};
const nothing = ["sudo mkdir -p /etc/systemd/system/user@.service.d"];

test("reports nothing about an engine of root", async () => {
  expect(await look("docker", { ...docker, SecurityOptions: ["name=seccomp"] })).toEqual([]);
  expect(await look("podman", { ...podman, host: { security: { rootless: false } } })).toEqual([]);
});

test("accepts delegated cgroups", async () => {
  const ok = (name: string) => [{ state: "ok", found: `${name}, cgroups are delegated` }];
  expect(await look("docker", docker)).toMatchObject(ok("docker"));
  expect(await look("podman", podman)).toMatchObject(ok("podman"));
});

test.each([
  ["docker", { ...docker, CPUShares: false }, "docker may not limit cpu"],
  ["docker", { ...docker, CgroupDriver: "none" }, "docker may not limit memory, pids, cpu"],
  ["nerdctl", { ...docker, PidsLimit: false }, "nerdctl may not limit pids"],
  [
    "podman",
    { ...podman, host: { ...podman.host, cgroupControllers: ["memory", "pids"] } },
    "podman may not limit cpu",
  ],
])("reports cgroups that are not delegated: %s", async (name, info, found) => {
  expect(await look(name, info)).toMatchObject([
    { state: "missing", neededFor: ["kind"], found, mend: { commands: expect.arrayContaining(nothing) } },
  ]);
});

test("recommends a rootful podman in a virtual machine", async () => {
  const info = { ...podman, host: { ...podman.host, cgroupControllers: [] } };
  expect((await look("podman", info, "macos"))[0]?.mend?.commands).toContain("podman machine set --rootful");
});

test("reports cgroup version 1", async () => {
  expect(await look("docker", { ...docker, CgroupVersion: "1" })).toMatchObject([
    { state: "missing", found: "docker, without cgroup 2" },
  ]);
});
