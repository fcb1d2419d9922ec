import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type StandIns, standIns } from "../testing/stand-ins.ts";
import { findEngine } from "./find-engine.ts";

let machine: StandIns;
let env: NodeJS.ProcessEnv;
beforeEach(async () => {
  machine = await standIns();
  // Contains only programs of the test.
  env = { ...machine.env, PATH: `${machine.folder}/bin` };
  await rm(join(machine.folder, "bin/docker"));
});
afterEach(() => machine[Symbol.asyncDispose]());

const answer = (json: string) => `[ "$1" = info ] && echo '${json}'\n`;
const fails = (words: string) => `echo '${words}' >&2; exit 1\n`;

it("takes docker, with the version and the cgroup of its server", async () => {
  await machine.put("docker", answer('{"ServerVersion":"29.1.0","CgroupVersion":"1"}'));
  await machine.put("podman", answer('{"version":{"Version":"5.4.0"},"host":{"cgroupVersion":"v2"}}'));
  expect(await findEngine({ env: { ...env, DOCKER_HOST: "unix:///run/mine.sock" } })).toEqual({
    name: "docker",
    path: join(machine.folder, "bin/docker"),
    version: "29.1.0",
    cgroup: 1,
    host: "unix:///run/mine.sock",
  });
});

it("takes podman if docker does not run, or is missing", async () => {
  await machine.put("docker", fails("Cannot connect to the Docker daemon. Is the docker daemon running?"));
  await machine.put("podman", answer('{"version":{"Version":"5.4.0"},"host":{"cgroupVersion":"v2"}}'));
  expect(await findEngine({ env })).toMatchObject({ name: "podman", version: "5.4.0", cgroup: 2 });
});

it("takes the engine in KIND_EXPERIMENTAL_PROVIDER", async () => {
  await machine.put("docker", answer('{"ServerVersion":"29.1.0"}'));
  await machine.put("nerdctl", answer('{"ServerVersion":"v2.1.0","CgroupVersion":"2"}'));
  const named = { ...env, KIND_EXPERIMENTAL_PROVIDER: "nerdctl" };
  expect(await findEngine({ env: named })).toMatchObject({ name: "nerdctl", version: "v2.1.0" });
  await expect(findEngine({ env: { ...env, KIND_EXPERIMENTAL_PROVIDER: "podman" } })).rejects.toMatchObject({
    problem: "engine-missing",
    cause: "KIND_EXPERIMENTAL_PROVIDER is podman, but it is not on the PATH",
  });
  await expect(findEngine({ env: { ...env, KIND_EXPERIMENTAL_PROVIDER: "finch" } })).rejects.toMatchObject({
    problem: "engine-missing",
    cause: "KIND_EXPERIMENTAL_PROVIDER is finch (expected one of docker, nerdctl, podman)",
  });
});

it("tries them in kind's order", async () => {
  await machine.put("podman", answer('{"version":{"Version":"5.4.0"},"host":{"cgroupVersion":"v2"}}'));
  expect(await findEngine({ env })).toMatchObject({ name: "podman" });
  await machine.put("nerdctl", answer('{"ServerVersion":"v2.1.0","CgroupVersion":"2"}'));
  expect(await findEngine({ env })).toMatchObject({ name: "nerdctl" });
});

it("recognizes podman under docker's name", async () => {
  await machine.put("docker", answer('{"version":{"Version":"5.4.0"},"host":{"cgroupVersion":"v2"}}'));
  const hosts = { DOCKER_HOST: "unix:///run/docker.sock", CONTAINER_HOST: "unix:///run/podman.sock" };
  expect(await findEngine({ env: { ...env, ...hosts } })).toEqual({
    name: "podman",
    path: join(machine.folder, "bin/docker"),
    version: "5.4.0",
    cgroup: 2,
    host: "unix:///run/podman.sock",
  });
});

it("reports that there is no engine, and the alternative", async () => {
  await expect(findEngine({ env })).rejects.toMatchObject({
    problem: "engine-missing",
    message: expect.stringMatching(
      /no docker, podman or nerdctl on the PATH\n.*install Docker .*\n.*pnpm cluster up/,
    ),
  });
});

it.each([
  ["Is the docker daemon running?", "engine-not-running"],
  ["permission denied while trying to connect to the Docker daemon socket", "engine-permission"],
])("reports why the first engine does not answer: %s", async (words, problem) => {
  await machine.put("docker", fails(words));
  await machine.put("podman", fails("Cannot connect to Podman."));
  await expect(findEngine({ env })).rejects.toMatchObject({ problem, command: "docker info" });
});

it("does not wait for an engine that never answers", async () => {
  await machine.put("docker", "exec /bin/sleep 600\n");
  await expect(findEngine({ env, patience: 200 })).rejects.toMatchObject({
    problem: "engine-not-running",
    cause: "docker did not answer within 0.2 s",
  });
});

it("stops looking when it is aborted", async () => {
  await machine.put("docker", "exec /bin/sleep 600\n");
  const controller = new AbortController();
  const found = findEngine({ env, signal: controller.signal });
  controller.abort();
  await expect(found).rejects.toMatchObject({ problem: "aborted" });
});
