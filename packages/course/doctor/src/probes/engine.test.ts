import { chmod, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { enginePatience as kindsPatience } from "@operator-path/kind";
import { expect, test } from "vitest";
import { examine } from "../examine.ts";
import { thisMachine } from "../machine.ts";
import { systemOf } from "../system.ts";
import { createStandIn, type StandIn } from "../testing/stand-in.ts";
import { engineProbe } from "./engine.ts";

async function engine(
  standIn: StandIn,
  env: NodeJS.ProcessEnv = {},
  family: "debian" | "macos" | "wsl" = "debian",
) {
  const machine = standIn.as({
    env: { ...standIn.machine.env, ...env },
    enginePatience: env.SHORT ? 2000 : 20_000,
  });
  const [finding] = await examine(machine, { probes: [engineProbe], system: systemOf(family) });
  return finding;
}

// The output of docker 28 on stdout and stderr if no server listens.
const silent =
  'echo \'{"ID":"","ServerVersion":"","ClientInfo":{"Version":"28.2.2"}}\'; echo "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?" >&2; exit 1';

test.each([
  ["debian", ["sudo systemctl start docker"]],
  ["macos", ["open -a Docker"]],
  ["wsl", ["sudo service docker start"]],
] as const)("a daemon that does not run, on %s", async (family, commands) => {
  await using standIn = await createStandIn();
  const path = await standIn.program("docker", silent);
  const finding = await engine(standIn, {}, family);
  expect(finding).toMatchObject({
    state: "missing",
    found: "docker is installed, but its server does not answer",
    mend: { commands },
  });
  expect(finding?.details?.[0]).toContain(`${path} says: Cannot connect to the Docker daemon`);
});

test("reports a DOCKER_HOST without a server", async () => {
  await using standIn = await createStandIn();
  await standIn.program("docker", silent);
  const finding = await engine(standIn, { DOCKER_HOST: "tcp://127.0.0.1:1" });
  expect(finding?.mend).toEqual({
    commands: ["unset DOCKER_HOST"],
    words: ["Or start the program that should listen at tcp://127.0.0.1:1."],
  });
});

test("reports an engine that hangs", async () => {
  await using standIn = await createStandIn();
  await standIn.program("docker", "/bin/sleep 1000");
  expect(await engine(standIn, { SHORT: "1" })).toMatchObject({ state: "missing", found: "docker hangs" });
});

test("uses podman if docker's daemon does not answer", async () => {
  await using standIn = await createStandIn();
  await standIn.program("docker", silent);
  await standIn.program(
    "podman",
    `echo '{"host":{"cgroupVersion":"v2","memTotal":8589934592},"version":{"Version":"5.6.2"}}'`,
  );
  expect(await engine(standIn)).toMatchObject({ state: "ok", found: "podman 5.6.2" });
  // As kind does, which recognises the engine by its answer.
  await standIn.program("nerdctl", `echo '{"ServerVersion":"v2.1.0","CgroupVersion":"2"}'`);
  expect(await engine(standIn)).toMatchObject({ state: "ok", found: "nerdctl v2.1.0" });
  await rm(join(standIn.bin, "nerdctl"));
  // KIND_EXPERIMENTAL_PROVIDER names another engine.
  expect(await engine(standIn, { KIND_EXPERIMENTAL_PROVIDER: "docker" })).toMatchObject({ state: "missing" });
  expect(await engine(standIn, { KIND_EXPERIMENTAL_PROVIDER: "nerdctl" })).toMatchObject({
    state: "missing",
    found: "no nerdctl, which KIND_EXPERIMENTAL_PROVIDER names",
  });
  expect(await engine(standIn, { KIND_EXPERIMENTAL_PROVIDER: "finch" })).toMatchObject({
    state: "missing",
    found: "KIND_EXPERIMENTAL_PROVIDER is finch",
    mend: { commands: ["unset KIND_EXPERIMENTAL_PROVIDER"] },
  });
});

test("recognises podman that is called docker", async () => {
  await using standIn = await createStandIn();
  await standIn.program("docker", `echo '{"host":{},"version":{"Version":"5.6.2"}}'`);
  expect(await engine(standIn, { DOCKER_HOST: "tcp://a:1" })).toMatchObject({ found: "podman 5.6.2" });
});

test.each([
  ["docker", "debian", "sudo usermod -aG docker $USER"],
  ["docker", "macos", "docker context use desktop-linux"],
  ["nerdctl", "debian", "containerd-rootless-setuptool.sh install"],
  ["podman", "debian", "podman info"],
] as const)("%s on %s that does not let this user in", async (name, family, command) => {
  await using standIn = await createStandIn();
  await standIn.program(name, 'echo "dial unix /run/x.sock: connect: permission denied" >&2; exit 1');
  expect(await engine(standIn, {}, family)).toMatchObject({
    found: `${name} is installed, but rejects this user`,
    mend: { commands: [command] },
  });
});

test("reports a rootless docker that does not run", async () => {
  await using standIn = await createStandIn();
  await standIn.program("docker", silent.replace("/var/run/docker.sock", "/run/user/1000/docker.sock"));
  expect((await engine(standIn))?.mend?.commands).toEqual(["systemctl --user start docker"]);
});

test("waits for an engine as long as kind-up, and less for other programs", async () => {
  const { patience, enginePatience } = thisMachine();
  expect({ patience, enginePatience }).toEqual({ patience: 4000, enginePatience: kindsPatience });
  await using standIn = await createStandIn();
  await standIn.program("docker", `/bin/sleep 0.5; echo '{"ServerVersion":"28.2.2"}'`);
  const machine = standIn.as({ patience: 100 });
  expect(await examine(machine, { probes: [engineProbe] })).toMatchObject([{ found: "docker 28.2.2" }]);
});

test.each([
  ["debian", "sudo sh get-docker.sh"],
  ["macos", "brew install --cask docker-desktop"],
  ["wsl", "winget install -e --id Docker.DockerDesktop"],
] as const)("none at all, on %s", async (family, command) => {
  await using standIn = await createStandIn();
  const finding = await engine(standIn, {}, family);
  expect(finding).toMatchObject({ state: "missing", found: "no docker, podman or nerdctl" });
  expect(finding?.mend?.commands).toContain(command);
});

test("reports docker of snap, which sees no /tmp", async () => {
  await using standIn = await createStandIn();
  const path = await standIn.file("snap/bin/docker", `#!/bin/sh\necho '{"ServerVersion":"28.2.2"}'\n`);
  await chmod(path, 0o755);
  const PATH = dirname(path);
  expect(await engine(standIn, { PATH })).toMatchObject({
    state: "weak",
    found: "docker 28.2.2",
    mend: { commands: ["mkdir -p ~/tmp", "export TMPDIR=~/tmp"] },
  });
  expect(await engine(standIn, { PATH, TMPDIR: standIn.machine.home })).toMatchObject({ state: "ok" });
});
