import { expect, test } from "vitest";
import { detectSystem } from "./system.ts";
import { createStandIn } from "./testing/stand-in.ts";

const linux = "Linux version 6.12.0";
const wsl2 = "Linux version 5.15.167.4-microsoft-standard-WSL2 (root@f9c826d3017f)";

test.each([
  ["Debian", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian', linux, "debian", "apt"],
  ["Ubuntu", 'PRETTY_NAME="Ubuntu 24.04.3 LTS"\nID=ubuntu\nID_LIKE=debian', linux, "debian", "apt"],
  ["a relative of Ubuntu", 'ID=linuxmint\nID_LIKE="ubuntu debian"', linux, "debian", "apt"],
  ["Fedora", "PRETTY_NAME='Fedora Linux 43 (Workstation Edition)'\nID=fedora", linux, "fedora", "dnf"],
  ["a relative of RHEL", 'ID="rocky"\nID_LIKE="rhel centos fedora"', linux, "linux", "dnf"],
  ["Arch", "ID=arch", linux, "linux", undefined],
  ["no os-release", "", linux, "linux", undefined],
  ["Ubuntu on WSL", "ID=ubuntu\nID_LIKE=debian", wsl2, "wsl", "apt"],
  ["Fedora on WSL", "ID=fedora", wsl2, "wsl", "dnf"],
])("%s", async (_name, release, version, family, packages) => {
  await using standIn = await createStandIn();
  await standIn.file("etc/os-release", release);
  await standIn.file("proc/version", version);
  expect(await detectSystem(standIn.machine)).toMatchObject({ family, packages });
});

test.each([
  ["darwin", "macos"],
  ["win32", "windows"],
] as const)("%s", async (platform, family) => {
  await using standIn = await createStandIn();
  expect(await detectSystem(standIn.as({ platform }))).toMatchObject({ family });
});
