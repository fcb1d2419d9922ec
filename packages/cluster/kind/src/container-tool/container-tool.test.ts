import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type StandIns, standIns } from "../testing/stand-ins.ts";
import { containerToolPath } from "./container-tool.ts";

let machine: StandIns;
beforeEach(async () => {
  machine = await standIns();
  await machine.put("kind", '[ "$1" = --version ] && echo "kind version 0.33.0"\ntrue\n');
});
afterEach(() => machine[Symbol.asyncDispose]());

const tool = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  execa(containerToolPath(), args, { env: { ...machine.env, ...env }, extendEnv: false, reject: false });

it("builds with the base images that the environment names", async () => {
  const bases = { NODE_IMAGE: "node:mine", HELM_IMAGE: "" };
  expect(await tool(["build", "-t", "controller:v1", "."], bases)).toMatchObject({ exitCode: 0 });
  expect((await machine.calls()).at(-1)).toBe(
    "docker build --build-arg NODE_IMAGE=node:mine -t controller:v1 .",
  );
});

it("loads into the cluster instead of pushing", async () => {
  const { stdout } = await tool(["push", "controller:v1"], { KIND_CLUSTER: "dev" });
  expect(stdout).toBe("controller:v1 is loaded into the nodes of cluster dev");
  expect((await machine.calls()).at(-1)).toBe("kind load docker-image controller:v1 --name dev");
  expect(await machine.calls()).not.toContain("docker push controller:v1");
});

it("passes everything else on, and exits as the engine does", async () => {
  await machine.put(
    "docker",
    '[ "$1" = info ] && echo \'{"ServerVersion":"29.0.0"}\' && exit\necho "out $*"; exit 7\n',
  );
  expect(await tool(["image", "ls", "--quiet"])).toMatchObject({
    exitCode: 7,
    stdout: "out image ls --quiet",
  });
});

it("exits with one message on an error", async () => {
  expect(await tool(["push"])).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(/^error: push: expected exactly one image name/),
  });
  await machine.put("docker", 'echo "Is the docker daemon running?" >&2; exit 1\n');
  // Ignores the machine's other engines.
  const dockerAlone = { KIND_EXPERIMENTAL_PROVIDER: "docker" };
  expect(await tool(["build", "."], dockerAlone)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(
      /^error: no container engine can be used: docker is installed but not running: nothing answers/,
    ),
  });
});
